import type { FieldError } from '#contract/errors.ts';
import { eventDataLimits as limits } from '#contract/events.ts';

/** The variables, or the first problem of the data. */
export type EventVariables = { values: Record<string, string> } | { problem: FieldError };

/**
 * Flattens an event's data into the variables of a message, all of them text: `{"customer": {"name": "Dana"}}` becomes
 * `customer.name`; a list of plain values `tags` becomes one text with commas; other lists become `items.0.price`. Null
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
      return put(path.join('.'), value.filter((part) => part !== null).join(', '));
    if (path.length === limits.depth) return { path: path.join('.'), message: 'is nested too deeply' };
    return takeAll(value, path);
  }

  function put(name: string, value: string): FieldError | null {
    characters += name.length + value.length;
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
