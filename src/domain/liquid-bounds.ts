import type { FilterImplOptions, Liquid } from 'liquidjs';

type FilterHandler = Exclude<FilterImplOptions, { handler: unknown }>;
type FilterImpl = ThisParameterType<FilterHandler>;

/** The longest message, and the longest text while rendering. A loop of a few lines can write gigabytes. */
export const longestText = 500_000;

/** The largest range, list or text for one filter: the time budget is not checked inside a filter. */
export const largestStep = 100_000;

/** The template exceeds a limit. The message says which. */
export class TooLarge extends Error {}

export const tooMuchMemory = () =>
  new TooLarge(`it needs too much memory: ${largestStep} items or characters at once are the most`);

export const tooLong = () => new TooLarge(`it would be longer than ${longestText} characters`);

/** Limits the output of each filter. Liquid limits most inputs, but not the indentation of JSON. */
export function boundFilters(liquid: Liquid): void {
  for (const name of ['json', 'jsonify']) liquid.registerFilter(name, json);
  liquid.registerFilter('inspect', inspect);
  for (const [name, filter] of Object.entries(liquid.filters)) {
    if (typeof filter === 'function') liquid.registerFilter(name, bounded(filter));
    else liquid.registerFilter(name, { ...filter, handler: bounded(filter.handler) });
  }
}

function bounded(handler: FilterHandler): FilterHandler {
  return function* (this: FilterImpl, ...args: Parameters<FilterHandler>): Generator<unknown, unknown, unknown> {
    this.context.renderLimit.check(0);
    const result = yield handler.apply(this, args);
    measure(result, { items: 0, characters: 0 });
    return result;
  };
}

/** A list that is referenced twice counts twice, because it is written twice. */
function measure(value: unknown, size: { items: number; characters: number }): void {
  if (typeof value === 'string') {
    size.characters += value.length;
    if (size.characters > longestText) throw tooLong();
  } else if (Array.isArray(value)) {
    size.items += value.length;
    if (size.items > largestStep) throw tooMuchMemory();
    for (const item of value) measure(item, size);
  }
}

const json: FilterHandler = function (value: unknown, space: unknown) {
  return writeJson(this, value, { space, circular: (again) => again });
};

const inspect: FilterHandler = function (value: unknown, space: unknown) {
  return writeJson(this, value, { space, circular: () => '[Circular]' });
};

type Form = { space: unknown; circular: (again: object) => unknown };

/** Counts each value with its indentation before it is written. */
function writeJson({ context }: FilterImpl, value: unknown, { space, circular }: Form): string {
  const indent = indentOf(space);
  const ancestors: object[] = [];
  let size = 0;
  const count = (more: number) => {
    size += more;
    if (size > largestStep) throw tooMuchMemory();
    context.memoryLimit.use(more);
  };
  return JSON.stringify(
    value,
    function (this: unknown, key: string, each: unknown) {
      while (ancestors.length > 0 && ancestors.at(-1) !== this) ancestors.pop();
      const name = Array.isArray(this) ? 0 : key.length;
      // The closing line is indented as well, and each ancestor is compared.
      count(2 + name + ancestors.length * (2 * indent.length + 1));
      if (typeof each !== 'object' || each === null) {
        if (typeof each === 'string') count(each.length);
        else if (typeof each === 'number') count(String(each).length);
        return each;
      }
      if (ancestors.includes(each)) return circular(each);
      ancestors.push(each);
      return each;
    },
    indent,
  );
}

/** Like the `space` argument of JSON.stringify. */
function indentOf(space: unknown): string {
  if (typeof space === 'number') return ' '.repeat(Math.max(0, Math.min(10, Math.trunc(space) || 0)));
  return typeof space === 'string' ? space.slice(0, 10) : '';
}
