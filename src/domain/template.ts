import { Liquid, type Template } from 'liquidjs';
import { LRUCache } from 'lru-cache';

export type Rendered =
  | { kind: 'rendered'; text: string }
  | { kind: 'missing'; variable: string }
  | { kind: 'broken'; reason: string };

type Values = Readonly<Record<string, string>>;

/**
 * Fills a message's `{{name}}` placeholders. Liquid filters and conditions work too (`{{ amount | default: "0" }}`).
 * A variable without a value is an outcome, never a blank: nobody wants a reminder of a blank rent. Values are text
 * and are never read as templates themselves.
 */
export function render(template: string, values: Values): Rendered {
  const plain = partsOf(template);
  const rendered = plain === 'liquid' ? renderLiquid(template, values) : renderPlain(plain, values);
  if (rendered.kind === 'rendered' && rendered.text.length > maxLength)
    return { kind: 'broken', reason: `it would be longer than ${maxLength} characters` };
  return rendered;
}

// A loop of a few lines can write gigabytes.
const maxLength = 500_000;

const plain = /\{\{\s*([A-Za-z_](?:[\w-]*\w)?)\s*\}\}/g;
const literals: ReadonlySet<string> = new Set(['true', 'false', 'nil', 'null', 'empty', 'blank']);

const hasOnlyPlainNames = (template: string) =>
  !/\{%|\{\{\{/.test(template) &&
  !/\{\{|\}\}/.test(template.replace(plain, (placeholder, name: string) => (literals.has(name) ? placeholder : '')));

/** Text and names by turns. */
type Parts = readonly string[];

// The same message goes to thousands: it is read once. Bounded by length, as what is kept is about the text itself.
const plainParts = new LRUCache<string, Parts | 'liquid'>({
  maxSize: 2_000_000,
  sizeCalculation: (_, text) => text.length + 1,
});

function partsOf(template: string): Parts | 'liquid' {
  const known = plainParts.get(template);
  if (known !== undefined) return known;
  const parts = !template.includes('{') ? [template] : hasOnlyPlainNames(template) ? template.split(plain) : 'liquid';
  plainParts.set(template, parts);
  return parts;
}

function renderPlain(parts: Parts, values: Values): Rendered {
  let text = parts[0] ?? '';
  for (let at = 1; at < parts.length; at += 2) {
    const name = parts[at] ?? '';
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return { kind: 'missing', variable: name };
    text += value + (parts[at + 1] ?? '');
  }
  return { kind: 'rendered', text };
}

const renderLimitMs = 100;

const liquid = new Liquid({
  ownPropertyOnly: true,
  strictFilters: true,
  strictVariables: true,
  lenientIf: true,
  parseLimit: 200_000,
  renderLimit: renderLimitMs,
  memoryLimit: 5_000_000,
});
// A template comes from a person of one workspace and must reach nothing but its own values.
for (const tag of ['include', 'render', 'layout', 'block', 'raw']) delete liquid.tags[tag];

type Parsed = { templates: Template[]; timesTooSlow: number };

// The same message goes to thousands, and reading it costs more than filling it.
// Bounded by length, because what has been read takes a hundred times the memory of its text.
const parsed = new LRUCache<string, Parsed>({ maxSize: 500_000, sizeCalculation: (_, text) => text.length });

function renderLiquid(template: string, values: Values): Rendered {
  try {
    const known = parsed.get(template) ?? { templates: liquid.parse(template), timesTooSlow: 0 };
    parsed.set(template, known);
    // Everybody waits while it renders: one that has used up its time again and again is not given it once more.
    if (known.timesTooSlow >= 3) return tooSlow;
    const started = performance.now();
    try {
      const text: unknown = liquid.renderSync(known.templates, scopeOf(values));
      return { kind: 'rendered', text: String(text) };
    } finally {
      if (performance.now() - started >= renderLimitMs) known.timesTooSlow += 1;
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const missing = /undefined variable: (.+?)(?:, line:\d+|$)/.exec(reason)?.[1];
    if (missing !== undefined) return { kind: 'missing', variable: missing };
    return /render limit exceeded/.test(reason) ? tooSlow : { kind: 'broken', reason };
  }
}

const tooSlow: Rendered = { kind: 'broken', reason: `it takes longer than ${renderLimitMs} ms to fill in` };

/** `customer.name` is found where Liquid looks for it: as the name of the customer. */
function scopeOf(values: Values): Record<string, unknown> {
  const scope: Record<string, unknown> = { ...values };
  const dotted = Object.entries(values).filter(([name]) => name.includes('.'));
  for (const [head, entries] of Map.groupBy(dotted, ([name]) => name.slice(0, name.indexOf('.')))) {
    if (Object.hasOwn(values, head)) continue;
    scope[head] = scopeOf(Object.fromEntries(entries.map(([name, value]) => [name.slice(head.length + 1), value])));
  }
  return scope;
}
