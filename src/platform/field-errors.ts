import type { z } from 'zod';
import type { FieldError } from '#contract/errors.ts';

/** Converts zod's issues to the API's fields: the path with dots, one entry per unknown key. */
export function fieldErrors(error: z.ZodError, prefix: readonly string[] = []): FieldError[] {
  return error.issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path.map(String)];
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: 'is not a known field' }));
    return [{ path: path.join('.'), message: sentence(issue) }];
  });
}

/** Prefers the contract's own message: zod's are for programmers. */
function sentence(issue: z.core.$ZodIssue): string {
  if (!/^(Invalid|Too (big|small)|Unrecognized)/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined && issue.message.endsWith('received undefined')
        ? 'is required'
        : `must be ${nouns[issue.expected] ?? issue.expected}`;
    case 'too_big':
      return `must be at most ${String(issue.maximum)}${unitOf(issue.origin)}`;
    case 'too_small':
      return `must be at least ${String(issue.minimum)}${unitOf(issue.origin)}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'must be a date and time with its offset, such as 2026-12-01T09:00:00Z'
        : `must be a valid ${issue.format}`;
    case 'invalid_key':
      return `has a name that ${issue.issues[0]?.message ?? 'is not allowed'}`;
    case 'invalid_element':
    case 'invalid_union':
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'custom':
      return 'is not valid';
    default:
      return issue satisfies never;
  }
}

const nouns: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const unitOf = (origin: string) => (origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '');
