import { Liquid } from 'liquidjs';

export type Rendered =
  | { kind: 'rendered'; text: string }
  | { kind: 'missing'; variable: string }
  | { kind: 'broken'; reason: string };

/**
 * Fills a message's `{{name}}` placeholders. Liquid filters and conditions work too (`{{ amount | default: "0" }}`).
 * A variable without a value is an outcome, never a blank: nobody wants a reminder of a blank rent.
 */
export function render(template: string, values: Readonly<Record<string, string>>): Rendered {
  if (!template.includes('{')) return { kind: 'rendered', text: template };
  return onlyPlainNames(template) ? renderPlain(template, values) : renderLiquid(template, values);
}

/** The variables that a template names plainly, in order, once each. */
export function variablesIn(template: string): string[] {
  return [...new Set([...template.matchAll(placeholder)].map((match) => match[1] ?? ''))];
}

const placeholder = /\{\{\s*([A-Za-z_][\w.-]*)\s*(?:\}\}|\|)/g;
const plain = /\{\{\s*([A-Za-z_][\w-]*)\s*\}\}/g;

const onlyPlainNames = (template: string) => !/\{%/.test(template) && !/\{\{|\}\}/.test(template.replace(plain, ''));

function renderPlain(template: string, values: Readonly<Record<string, string>>): Rendered {
  let missing: string | null = null;
  const text = template.replace(plain, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) missing ??= name;
    return value ?? '';
  });
  return missing === null ? { kind: 'rendered', text } : { kind: 'missing', variable: missing };
}

const liquid = new Liquid({
  ownPropertyOnly: true,
  strictFilters: true,
  strictVariables: true,
  lenientIf: true,
  parseLimit: 200_000,
  renderLimit: 1_000,
  memoryLimit: 5_000_000,
});
// A template comes from a person of one workspace and must reach nothing but its own values.
for (const tag of ['include', 'render', 'layout', 'block', 'raw']) delete liquid.tags[tag];

function renderLiquid(template: string, values: Readonly<Record<string, string>>): Rendered {
  try {
    const text: unknown = liquid.parseAndRenderSync(template, { ...values });
    return { kind: 'rendered', text: String(text) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const missing = /undefined variable: ([\w.-]+)/.exec(message)?.[1];
    return missing === undefined ? { kind: 'broken', reason: message } : { kind: 'missing', variable: missing };
  }
}
