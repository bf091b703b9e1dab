import { type TemplateVariable, variableTypes } from '#contract/templates.ts';

export const variableTypeChoices = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'date', label: 'Date' },
  { value: 'email', label: 'Email' },
] satisfies { value: TemplateVariable['type']; label: string }[];

export const typeOf = (value: string | null): TemplateVariable['type'] =>
  variableTypes.find((known) => known === value) ?? 'text';
