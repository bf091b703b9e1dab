import { type Context, type Emitter, evalToken, ForTag, type PropertyAccessToken, TablerowTag } from 'liquidjs';

type Values = Readonly<Record<string, string>>;

/**
 * `customer.name` is stored where Liquid looks it up: as the property `name` of `customer`; `items.0.name` as that of the first of a list. A list
 * that is one text as well, such as `tags`, stays this text; its values are beside it, for loops.
 */
export function scopeOf(values: Values): Record<string, unknown> {
  const scope: Record<string, unknown> = { ...values };
  const dotted = Object.entries(values).filter(([name]) => name.includes('.'));
  for (const [head, entries] of Map.groupBy(dotted, ([name]) => name.slice(0, name.indexOf('.')))) {
    const own = scopeOf(Object.fromEntries(entries.map(([name, value]) => [name.slice(head.length + 1), value])));
    const list = listOf(own);
    if (!Object.hasOwn(values, head)) scope[head] = list ?? own;
    else if (list !== null) scope[besideText(head)] = list.filter((value) => value !== null);
  }
  return scope;
}

/** How many values a list can have; the data of an event has no more. */
const mostListed = 1_000;

/** The list whose values are under their numbers, with null for those that have none; null for what is no list. */
function listOf(own: Readonly<Record<string, unknown>>): unknown[] | null {
  const numbers = Object.keys(own)
    .filter((key) => !key.includes('.') && !key.endsWith(hidden))
    .map((key) => (/^(?:0|[1-9]\d{0,3})$/.test(key) ? Number(key) : Number.NaN));
  const last = Math.max(...numbers);
  if (!(last >= 0 && last < mostListed)) return null;
  return Array.from({ length: last + 1 }, (_, at) => own[String(at)] ?? null);
}

/** Neither the name of a value nor a template has this character. */
const hidden = '\0';
const besideText = (name: unknown) => `${String(name)}${hidden}`;

/** `for` and `tablerow`, also over a list that is one text everywhere else. */
export class ForEach extends ForTag {
  override *render(context: Context, emitter: Emitter): ReturnType<ForTag['render']> {
    return yield* super.render.call(yield* overList(this, context), context, emitter);
  }
}

export class TablerowEach extends TablerowTag {
  override *render(context: Context, emitter: Emitter): ReturnType<TablerowTag['render']> {
    return yield* super.render.call(yield* overList(this, context), context, emitter);
  }
}

/** The tag over the values of its list, where that is one text; otherwise the tag as it is. */
function* overList<Tag extends ForTag | TablerowTag>(tag: Tag, context: Context): Generator<unknown, Tag, unknown> {
  const { collection } = tag;
  const list =
    'props' in collection && collection.variable === undefined ? yield* listBeside(collection, context) : null;
  if (list === null) return tag;
  const listed: Tag = Object.create(tag, {
    collection: { value: { content: list, getText: () => collection.getText() } },
  });
  return listed;
}

/** The values of a text that is a list. A text that is in the place of the list, such as one of a contact, is none. */
function* listBeside(path: PropertyAccessToken, context: Context): Generator<unknown, unknown[] | null, unknown> {
  const text: unknown = yield evalToken(path, context);
  if (typeof text !== 'string') return null;
  const names: unknown[] = [];
  for (const prop of path.props) names.push(yield evalToken(prop, context));
  const last = names.pop();
  const list = foundAt(context, [...names.map(String), besideText(last)]);
  return Array.isArray(list) && withoutSigns(list.join('')) === withoutSigns(text) ? list : null;
}

function foundAt(context: Context, path: string[]): unknown {
  try {
    return context.getSync(path);
  } catch {
    // Liquid throws for what is not there.
    return null;
  }
}

/** Values are left out where they are blank, and their text has commas. */
const withoutSigns = (text: string) => text.replaceAll(/[\s,]/g, '');
