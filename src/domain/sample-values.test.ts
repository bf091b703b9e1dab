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
  ['trial_ends', 'text', 'November 20, 2026'],
  ['leaseEnd', 'text', 'November 20, 2026'],
  ['invoice.due', 'text', 'November 20, 2026'],
  ['rent', 'text', '$99.99'],
  ['customer.phone', 'text', '+1 202 555 0143'],
  ['payment link', 'text', 'https://example.com'],
  ['days_left', 'text', '123'],
  ['plan', 'text', 'Premium'],
  ['unit', 'text', 'Sample Value'],
  ['weekend', 'text', 'Sample Value'],
  ['current', 'text', 'Sample Value'],
  ['description', 'text', 'Sample Value'],
] as const)('the variable %s of type %s is tried out with %s', (name, type, sample) => {
  expect(sampleValue({ name, type }, 'November 20, 2026')).toBe(sample);
});
