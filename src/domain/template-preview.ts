import type { TemplateVariable } from '#contract/templates.ts';
import { render } from '#domain/template.ts';

export type Previewed = {
  subject: string;
  body: string;
  /** In the order in which they are met. */
  missing: string[];
  problems: { part: 'subject' | 'body'; message: string }[];
};

/**
 * What the variables of a template stand for: the value given, else the default, and a blank only where the variable is
 * not required. A required one with neither is left out, so that the message names it as missing.
 */
export function templateValues(
  variables: readonly Pick<TemplateVariable, 'name' | 'required' | 'defaultValue'>[],
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const values = new Map(Object.entries(given).filter(([, value]) => value.trim() !== ''));
  for (const { name, required, defaultValue } of variables) {
    if (values.has(name)) continue;
    if (defaultValue.trim() !== '') values.set(name, defaultValue);
    else if (!required) values.set(name, '');
  }
  return Object.fromEntries(values);
}

/** Fills in both parts as a message is filled in, and goes on past what is missing: that stays as it is written. */
export function previewTemplate(
  content: Readonly<{ subject: string; body: string }>,
  values: Readonly<Record<string, string>>,
): Previewed {
  const subject = fill(content.subject, values);
  const body = fill(content.body, values);
  return {
    subject: subject.text,
    body: body.text,
    missing: [...new Set([...subject.missing, ...body.missing])],
    problems: [
      ...(subject.problem === null ? [] : [{ part: 'subject' as const, message: subject.problem }]),
      ...(body.problem === null ? [] : [{ part: 'body' as const, message: body.problem }]),
    ],
  };
}

type Filled = { text: string; missing: string[]; problem: string | null };

const mostMissing = 200;
// Each turn renders anew, and everybody waits while it does.
const patienceMs = 300;

function fill(template: string, given: Readonly<Record<string, string>>): Filled {
  const missing: string[] = [];
  let values: Record<string, string> = { ...given };
  const until = performance.now() + patienceMs;
  // The first turn is always taken: on a busy machine the time may be over before it begins.
  while (missing.length === 0 || (missing.length <= mostMissing && performance.now() < until)) {
    const rendered = render(template, values);
    switch (rendered.kind) {
      case 'rendered':
        return { text: rendered.text, missing, problem: null };
      case 'broken':
        return { text: template, missing, problem: rendered.reason };
      case 'missing': {
        const names = fullNamesOf(rendered.variable, template).filter((name) => !missing.includes(name));
        if (names.length === 0)
          return { text: template, missing, problem: `the variable ${rendered.variable} cannot be found` };
        missing.push(...names);
        values = Object.fromEntries([...Object.entries(values), ...names.map((name) => [name, `{{${name}}}`])]);
        break;
      }
      default:
        return rendered satisfies never;
    }
  }
  return { text: template, missing, problem: 'too many variables have no value' };
}

/** Of `customer.name` only `customer` is reported; the values go by the whole name. */
function fullNamesOf(variable: string, template: string): string[] {
  const dotted = template.match(/[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)+/g) ?? [];
  const found = dotted.filter((name) => name === variable || name.startsWith(`${variable}.`));
  return found.length === 0 ? [variable] : [...new Set(found)];
}
