import { expect, it } from 'vitest';
import { typeFor } from './variable-types.ts';

it.each([
  ['trial_ends', 'date'],
  ['due_date', 'date'],
  ['renews_on', 'date'],
  ['amount_due', 'text'],
  ['account_email', 'email'],
  ['days_left', 'number'],
  ['invoice_number', 'text'],
  ['friend', 'text'],
  ['seats', 'number'],
] as const)('a variable that a text calls %s becomes one of type %s', (name, type) => {
  expect(typeFor(name)).toBe(type);
});
