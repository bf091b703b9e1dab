import { expect, it } from 'vitest';
import { sampleValue } from '#domain/sample-values.ts';

it.each([
  ['contact', 'email', 'john@example.com'],
  ['recipient_email', 'text', 'john@example.com'],
  ['until', 'date', 'November 20, 2026'],
  ['due_date', 'text', 'November 20, 2026'],
  ['amount', 'number', '123'],
  ['recipient_name', 'text', 'John Doe'],
  ['company_name', 'text', 'Acme Corp'],
  ['amount', 'text', '$99.99'],
  ['unit', 'text', 'Sample Value'],
] as const)('the variable %s of type %s is tried out with %s', (name, type, sample) => {
  expect(sampleValue({ name, type }, 'November 20, 2026')).toBe(sample);
});
