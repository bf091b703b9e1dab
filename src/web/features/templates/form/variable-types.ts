import { type TemplateVariable, variableTypes } from '#contract/templates.ts';

export const variableTypeChoices = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'date', label: 'Date' },
  { value: 'email', label: 'Email' },
] satisfies { value: TemplateVariable['type']; label: string }[];

/** The type that a name tells: `trial_ends` is a date. Money stays a text, because it is written with its currency. */
export function typeFor(name: string): TemplateVariable['type'] {
  if (/(^|_)e?mail$/i.test(name)) return 'email';
  if (/amount|price|total|fee|rent|balance/i.test(name)) return 'text';
  if (/(^|_)(date|on|at|until|ends?|starts?|expires|due|deadline)$/i.test(name)) return 'date';
  return /(^|_)(count|quantity|days|hours|seats|units)(_|$)/i.test(name) ? 'number' : 'text';
}

export const typeOf = (value: string | null): TemplateVariable['type'] =>
  variableTypes.find((known) => known === value) ?? 'text';
