import type { TemplateText, TemplateVariable } from '#contract/templates.ts';
import type { z } from 'zod';

/** A template that is part of the product. `slug` never changes. */
export type StarterTemplate = z.output<typeof TemplateText> & { slug: string };

type Written = {
  slug: string;
  name: string;
  description: string;
  /** A mail has a subject; without one it is an SMS. */
  subject?: string;
  body: string;
  /** The variables, besides the built-in ones for names and dates. */
  variables: readonly TemplateVariable[];
};

export const starter = ({ slug, name, description, subject, body, variables }: Written): StarterTemplate => ({
  slug,
  name,
  description,
  content: { type: subject === undefined ? 'sms' : 'email', subject: subject ?? '', body, format: 'markdown' },
  variables: { variables: [...variables] },
});

const variable = (name: string, description: string, type: TemplateVariable['type']): TemplateVariable => ({
  name,
  type,
  description,
  required: true,
  defaultValue: '',
});

export const text = (name: string, description: string) => variable(name, description, 'text');
export const date = (name: string, description: string) => variable(name, description, 'date');
