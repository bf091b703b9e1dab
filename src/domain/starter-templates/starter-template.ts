import type { TemplateText, TemplateVariable } from '#contract/templates.ts';
import type { scheduleTypes } from '#contract/schedules.ts';
import type { z } from 'zod';

/** A template that is part of the product. `slug` never changes; `scheduleType` is how often its message is usually sent. */
export type StarterTemplate = z.output<typeof TemplateText> & { slug: string; scheduleType: ScheduleType };

type ScheduleType = (typeof scheduleTypes)[number];

type Written = {
  slug: string;
  name: string;
  description: string;
  /** A mail has a subject; without one it is an SMS. */
  subject?: string;
  body: string;
  /** Once, when left out. */
  scheduleType?: ScheduleType;
  /** The variables, besides the built-in ones for names and dates. */
  variables: readonly TemplateVariable[];
};

export const starter = ({
  slug,
  name,
  description,
  subject,
  body,
  scheduleType = 'once',
  variables,
}: Written): StarterTemplate => ({
  slug,
  scheduleType,
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
