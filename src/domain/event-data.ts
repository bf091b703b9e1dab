import type { FieldError } from '#contract/errors.ts';
import { eventDataLimits as limits } from '#contract/events.ts';

/** The variables, or the first problem of the data. */
export type EventVariables = { values: Record<string, string> } | { problem: FieldError };

/**
 * Flattens an event's data into the variables of a message, all of them text: `{"customer": {"name": "Dana"}}` becomes
 * `customer.name`; a list of plain values `tags` becomes one text with commas, and `tags.0` for each of them; other lists become `items.0.price`. Null
 * is no value, so a message that needs it is not sent.
 */
export function variablesOf(data: Readonly<Record<string, unknown>>): EventVariables {
  const values = new Map<string, string>();
  let characters = 0;

  function takeAll(parts: object, path: readonly string[]): FieldError | null {
    for (const [key, part] of Object.entries(parts)) {
      const problem = take(part, [...path, key]);
      if (problem !== null) return problem;
    }
    return null;
  }

  function take(value: unknown, path: readonly string[]): FieldError | null {
    if (value === null || value === undefined) return null;
    if (isPlain(value)) return put(path.join('.'), String(value));
    if (Array.isArray(value) && value.every((part) => part === null || isPlain(part)))
      return putList(path.join('.'), value.filter(isPlain).map(String));
    if (path.length === limits.depth) return { path: path.join('.'), message: 'is nested too deeply' };
    return takeAll(value, path);
  }

  /** The list as one text, and each of its values. Their characters count once. */
  function putList(name: string, parts: readonly string[]): FieldError | null {
    for (const [at, part] of [parts.join(', '), ...parts].entries()) {
      const problem = at === 0 ? put(name, part) : put(`${name}.${at - 1}`, part, { counted: 0 });
      if (problem !== null) return problem;
    }
    return null;
  }

  function put(name: string, value: string, { counted = name.length + value.length } = {}): FieldError | null {
    characters += counted;
    if (characters > limits.characters)
      return { path: '', message: `must be at most ${limits.characters} characters in all` };
    const message = values.has(name) ? 'is given twice' : problemOf(name, value);
    if (message !== null) return { path: name, message };
    values.set(name, value);
    return values.size > limits.variables
      ? { path: '', message: `must not hold more than ${limits.variables} values` }
      : null;
  }

  const problem = takeAll(data, []);
  return problem === null ? { values: Object.fromEntries(values) } : { problem };
}

/**
 * The data that brings these variables: `customer.name` in an object, `items.0.name` in a list.
 * @param lists the names that are lists of one plain value
 */
export function jsonOf(
  values: Readonly<Record<string, string>>,
  { lists }: { lists: readonly string[] },
): Record<string, unknown> {
  const listed = Object.entries(values).map(([name, value]): [string, string] => [
    lists.includes(name) ? `${name}.0` : name,
    value,
  ]);
  return nestedIn(listed);
}

function nestedIn(entries: readonly (readonly [string, string])[]): Record<string, unknown> {
  const heads = Map.groupBy(entries, ([name]) => name.split('.', 1)[0] ?? '');
  const nested = [...heads].flatMap(([head, own]): (readonly [string, unknown])[] => {
    // A value and others below it stay as they are named.
    if (own.some(([name]) => name === head)) return own;
    const inner = nestedIn(own.map(([name, value]) => [name.slice(head.length + 1), value]));
    const isList = Object.keys(inner).every((name, at) => name === String(at));
    return [[head, isList ? Object.values(inner) : inner]];
  });
  return Object.fromEntries(nested);
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function problemOf(name: string, value: string): string | null {
  if (name.trim() === '') return 'has a value without a name';
  if (name.length > limits.name) return `has a name of more than ${limits.name} characters`;
  if (value.length > limits.value) return `must be at most ${limits.value} characters`;
  // PostgreSQL text cannot contain NUL.
  if ((name + value).includes('\0')) return 'must not contain the NUL character';
  if (!name.isWellFormed() || !value.isWellFormed()) return 'must not contain half of a character (a lone surrogate)';
  return null;
}
