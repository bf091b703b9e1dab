import { variableKey } from '#contract/variable-name.ts';

type Values = Readonly<Record<string, string>>;

/** The value of a variable, by its exact name or else by one that differs in case, spaces or underscores only. */
export function valueNamed(values: Values, name: string): string | undefined {
  if (Object.hasOwn(values, name)) return values[name];
  const spelling = spellingsOf(values).get(rememberedKey(name));
  return spelling === undefined ? undefined : values[spelling];
}

export const hasValue = (values: Values, name: string): boolean => valueNamed(values, name) !== undefined;

/** The key of a name, which is computed once for the thousands of messages that use it. */
export function rememberedKey(name: string): string {
  const known = keys.get(name);
  if (known !== undefined) return known;
  if (keys.size >= rememberedNames) keys.clear();
  const key = variableKey(name);
  keys.set(name, key);
  return key;
}

const keys = new Map<string, string>();
const rememberedNames = 2_000;

/** The names by key. Of several spellings the last counts. */
function spellingsOf(values: Values): ReadonlyMap<string, string> {
  const known = spellings.get(values);
  const names = Object.keys(values);
  if (known?.count === names.length) return known.byKey;
  const byKey = new Map(names.map((name) => [rememberedKey(name), name]));
  spellings.set(values, { byKey, count: names.length });
  return byKey;
}

// The number of values is part of the cache, because those of a preview grow.
const spellings = new WeakMap<Values, { byKey: ReadonlyMap<string, string>; count: number }>();
