import type { TemplateVariable } from '#contract/templates.ts';
import { listsIn, pathsIn, plainNames, render, type RenderTime, renderTimeFor, type Values } from '#domain/template.ts';
import { hasValue } from '#domain/variable-values.ts';

export type Previewed = {
  subject: string;
  body: string;
  /** The missing variables, in order of appearance. */
  missing: string[];
  problems: { part: 'subject' | 'body'; message: string }[];
};

/**
 * The values of a template's variables: the given one, else the default, and a blank only when the variable is
 * optional. A required variable with neither is left out, so that the message reports it as missing.
 */
export function templateValues(
  variables: readonly Pick<TemplateVariable, 'name' | 'required' | 'defaultValue'>[],
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const values = new Map(Object.entries(given).filter(([, value]) => value.trim() !== ''));
  const known = Object.fromEntries(values);
  for (const { name, required, defaultValue } of variables) {
    if (hasValue(known, name)) continue;
    if (defaultValue.trim() !== '') values.set(name, defaultValue);
    else if (!required) values.set(name, '');
  }
  return Object.fromEntries(values);
}

/**
 * Renders both parts like a message, but continues past missing variables, which stay as written. With marked values,
 * the body is one to be formatted.
 */
export function previewTemplate(
  content: Readonly<{ subject: string; body: string }>,
  values: Readonly<Record<string, string>>,
  { time = renderTimeFor(previewLimitMs), marksValues = false }: { time?: RenderTime; marksValues?: boolean } = {},
): Previewed {
  const subject = fill(content.subject, { given: values, time, marksValues: false });
  const body = fill(content.body, { given: values, time, marksValues });
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
// The time for the whole preview: a Liquid template is rendered again for each missing variable.
export const previewLimitMs = 300;

type From = { given: Values; time: RenderTime; marksValues: boolean };

function fill(template: string, from: From): Filled {
  const { given } = from;
  const missing = (plainNames(template) ?? []).filter((name) => !hasValue(given, name));
  const first = [...new Set(missing)].slice(0, mostMissing + 1);
  return first.length > mostMissing ? unnamed(template, first) : fillOn(template, { ...from, missing: first });
}

/**
 * A Liquid template reports one missing name at a time. Each is filled with its placeholder, and rendering repeats
 * until the next one is found.
 */
function fillOn(template: string, { given, time, marksValues, missing }: From & { missing: string[] }): Filled {
  const values: Record<string, string> = { ...given };
  const leave = (name: string) =>
    Object.defineProperty(values, name, { value: `{{${name}}}`, enumerable: true, configurable: true, writable: true });
  for (const name of missing) leave(name);
  for (const list of listsIn(template).ofObjects) {
    if (Object.keys(given).some((name) => name === list || name.startsWith(`${list}.`))) continue;
    missing.push(list);
    for (const path of pathsIn(template)) if (path.startsWith(`${list}.0.`)) leave(path);
  }
  // The first round always runs: on a busy machine the time may be used up before it begins.
  for (let round = 0; missing.length <= mostMissing && (round === 0 || !time.whole.isOver()); round += 1) {
    const rendered = render(template, values, { budget: time.each(), marksValues });
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
        for (const name of names) leave(name);
        break;
      }
      default:
        return rendered satisfies never;
    }
  }
  return unnamed(template, missing);
}

const unnamed = (template: string, missing: string[]): Filled => ({
  text: template,
  missing,
  problem: 'too many variables have no value',
});

/** The full names of a variable in the values: Liquid reports only `customer` for `customer.name`. */
function fullNamesOf(variable: string, template: string): string[] {
  const dotted = template.match(/(?<![\w-])[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)+/g) ?? [];
  const found = dotted.filter((name) => name === variable || name.startsWith(`${variable}.`));
  return found.length === 0 ? [variable] : [...new Set(found)];
}
