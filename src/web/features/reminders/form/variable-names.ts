import { variableKey } from '#contract/variable-name.ts';

/** Names that are not among the others, in any spelling. */
export function withoutNames(names: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others.map(variableKey));
  return names.filter((name) => !known.has(variableKey(name)));
}

/** The first spelling of each name. */
export function distinctNames(names: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const name of names) if (!byKey.has(variableKey(name))) byKey.set(variableKey(name), name);
  return [...byKey.values()];
}

/** The spelling of a variable's name in a record; the name itself where the record lacks it. */
export function spellingIn(record: Readonly<Record<string, unknown>>, name: string): string {
  if (Object.hasOwn(record, name)) return name;
  const key = variableKey(name);
  return Object.keys(record).find((one) => variableKey(one) === key) ?? name;
}

/** A placeholder that is being typed: where it begins, and the letters of its name so far. */
export type Opened = { from: number; typed: string };

/** The longest name that is completed. */
const longestName = 100;

/** The placeholder in which the cursor is; null when it is in none. */
export function openedAt(text: string, cursor: number): Opened | null {
  const before = text.slice(Math.max(0, cursor - longestName), cursor);
  const at = before.lastIndexOf('{{');
  const typed = before.slice(at + 2);
  return at === -1 || !/^[\w -]*$/.test(typed) ? null : { from: cursor - before.length + at, typed: typed.trim() };
}

/** The names that contain the typed letters: first those that begin with them, then those of which a word does. */
export function namesLike(names: readonly string[], { typed, limit }: { typed: string; limit: number }): string[] {
  const wanted = typed === '' ? '' : variableKey(typed);
  const rankOf = (name: string) => {
    if (variableKey(name).startsWith(wanted)) return 0;
    return name.split(/[\s_-]/).some((word) => word.toLowerCase().startsWith(wanted)) ? 1 : 2;
  };
  return names
    .filter((name) => variableKey(name).includes(wanted))
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .slice(0, limit);
}

/** The text with the placeholder completed, and the cursor after it. */
export function completed(
  text: string,
  { from, cursor, name }: { from: number; cursor: number; name: string },
): { text: string; cursor: number } {
  const rest = text.slice(cursor).replace(/^[\w -]{0,100}\}\}/, '');
  const placeholder = `{{${name}}}`;
  return { text: text.slice(0, from) + placeholder + rest, cursor: from + placeholder.length };
}
