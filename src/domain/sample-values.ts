import type { TemplateVariable } from '#contract/templates.ts';

/**
 * An example value for a variable in a preview, by its type or else by its name.
 * @param today formatted for people
 */
export function sampleValue({ name, type }: Pick<TemplateVariable, 'name' | 'type'>, today: string): string {
  if (type === 'email' || /e-?mail/i.test(name)) return 'john@example.com';
  if (type === 'date' || /date/i.test(name)) return today;
  if (type === 'number') return '123';
  if (/company/i.test(name)) return 'Acme Corp';
  if (/name/i.test(name)) return 'John Doe';
  if (/amount/i.test(name)) return '$99.99';
  return 'Sample Value';
}
