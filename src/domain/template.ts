import { LRUCache } from 'lru-cache';
import { longestText } from '#domain/liquid-bounds.ts';
import { type Budget, budgetOf, renderLiquid } from '#domain/liquid.ts';
import { markedValue } from '#domain/message-format/marked-values.ts';
import { valueNamed } from '#domain/variable-values.ts';

export type Rendered =
  | { kind: 'rendered'; text: string }
  | { kind: 'missing'; variable: string }
  | { kind: 'broken'; reason: string };

export type Values = Readonly<Record<string, string>>;

/** How long the rendering of one message may take, if it does more than insert values. */
export const renderLimitMs = 100;

export const tooSlow = { kind: 'broken', reason: `it takes longer than ${renderLimitMs} ms to fill in` } as const;

/** For work with several renderings: the time for all of it, and for each. */
export type RenderTime = { whole: Budget; each: () => Budget };

export const renderTimeFor = (wholeMs: number, usedMs?: () => number): RenderTime => ({
  whole: budgetOf(wholeMs, usedMs),
  each: () => budgetOf(renderLimitMs, usedMs),
});

/** `marksValues` marks in the text what comes from a value, which is required before it is read as Markdown. */
type Rendering = { budget?: Budget; marksValues?: boolean };

/**
 * Fills a message's `{{name}}` placeholders. Liquid filters and conditions work too (`{{ amount | default: "0" }}`). A
 * variable without a value is an outcome, never a blank: nobody wants a reminder of a blank rent. Values are text and
 * are never parsed as templates.
 */
export function render(template: string, values: Values, { budget, marksValues = false }: Rendering = {}): Rendered {
  const plain = renderIfPlain(template, values, marksValues);
  if (plain !== null) return plain;
  const rendered = renderLiquid(inWords(template), { values, budget: budget ?? budgetOf(renderLimitMs), marksValues });
  return rendered.kind === 'slow' ? tooSlow : bounded(rendered);
}

/** `render` for a template that only inserts values; null for any other. */
export function renderIfPlain(template: string, values: Values, marksValues = false): Rendered | null {
  const parts = partsOf(template);
  return parts === 'liquid' ? null : bounded(renderPlain(parts, { values, marksValues }));
}

const bounded = (rendered: Rendered): Rendered =>
  rendered.kind === 'rendered' && rendered.text.length > longestText
    ? { kind: 'broken', reason: `it would be longer than ${longestText} characters` }
    : rendered;

/** Whether a template only inserts values, so that its rendering time is negligible. */
export const isPlain = (template: string): boolean => partsOf(template) !== 'liquid';

/** The names in a plain template, in their order; null for any other. */
export function plainNames(template: string): string[] | null {
  const parts = partsOf(template);
  return parts === 'liquid' ? null : parts.filter((_, at) => at % 2 === 1);
}

/** The names without which rendering always fails, whatever the other values. With tags, none is certain. */
export function namesNeeded(template: string): string[] {
  return template.includes('{%') ? [] : namesIn(template);
}

/** The names of the placeholders that only insert a value, and of the lists of plain values, each once. A list of objects is no text that a person could type. */
export function namesIn(template: string): string[] {
  const loops = loopsIn(template);
  const names = [...inWords(template).matchAll(plain)].map(([, name = '']) => name);
  const lists = listsIn(template).plain.filter((list) => !list.includes('.'));
  return [...new Set([...names.filter((name) => !loops.has(name)), ...lists])].filter((name) => !literals.has(name));
}

/**
 * The nested values that placeholders insert, each once, as an event's data has them: `invoice.number`, `items.0.price`. Of loops those of the first
 * of the list: `items.0.price` for `{{ one.price }}` in a loop over `items`, and the list itself for `{{ one }}`.
 */
export function pathsIn(template: string): string[] {
  const loops = loopsIn(template);
  const paths = [...template.matchAll(inserted)].flatMap(([, found = '']) => {
    const path = pathOf(found);
    const listed = loops.get(path) ?? inList(path, loops);
    return path.startsWith('forloop.') || !listed.includes('.') ? [] : [listed];
  });
  return [...new Set(paths)];
}

/** The lists over which a template loops: of plain values, as far as it says, or of objects. */
export function listsIn(template: string): { plain: string[]; ofObjects: string[] } {
  const paths = pathsIn(template);
  const lists = [...new Set(loopsIn(template).values())];
  const isOfObjects = (list: string) => paths.some((path) => path.startsWith(`${list}.0.`));
  return { plain: lists.filter((list) => !isOfObjects(list)), ofObjects: lists.filter(isOfObjects) };
}

/** The list of each loop's variable, as the data has it: of nested loops that of the first of the outer list. */
function loopsIn(template: string): ReadonlyMap<string, string> {
  const loops = new Map<string, string>();
  for (const [, name = '', list = ''] of template.matchAll(loop)) loops.set(name, inList(pathOf(list), loops));
  return loops;
}

/** A path that begins with the variable of a loop, as one of the first of its list. */
function inList(path: string, loops: ReadonlyMap<string, string>): string {
  const [head = '', ...rest] = path.split('.');
  const list = loops.get(head);
  return list === undefined ? path : [list, '0', ...rest].join('.');
}

const pathOf = (text: string) => text.replaceAll(/\[(\d{1,4})\]/g, '.$1');

const inserted = /\{\{-?\s{0,20}([A-Za-z_][\w-]{0,99}(?:\.[A-Za-z_\d][\w-]{0,99}|\[\d{1,4}\]){0,9})/g;
const loop =
  /\{%-?\s{0,20}(?:for|tablerow)\s{1,20}([\w-]{1,100})\s{1,20}in\s{1,20}([A-Za-z_][\w-]{0,99}(?:\.[A-Za-z_\d][\w-]{0,99}|\[\d{1,4}\]){0,9})/g;

const plain = /\{\{\s*([A-Za-z_](?:[\w-]*\w)?)\s*\}\}/g;

/** `{{ Move In Date }}` as `{{ Move_In_Date }}`, which is the same variable. */
const inWords = (template: string) =>
  template.includes('{{')
    ? template.replace(severalWords, (placeholder, words: string) =>
        operators.test(words) ? placeholder : `{{${words.trim().replaceAll(/ +/g, '_')}}}`,
      )
    : template;
const severalWords = /\{\{(\s*[A-Za-z_](?:[\w-]*\w)?(?: +\w(?:[\w-]*\w)?)+\s*)\}\}/g;
const operators = /\b(?:and|or|not|contains)\b/;

const literals: ReadonlySet<string> = new Set(['true', 'false', 'nil', 'null', 'empty', 'blank']);

const hasOnlyPlainNames = (template: string) =>
  !/\{%|\{\{\{/.test(template) &&
  !/\{\{|\}\}/.test(template.replace(plain, (placeholder, name: string) => (literals.has(name) ? placeholder : '')));

/** The parts of a plain template: text and names in turn. */
type Parts = readonly string[];

// The same message goes to thousands of recipients and is parsed once. Limited by length, as the parsed form is about
// as large as the text.
const plainParts = new LRUCache<string, Parts | 'liquid'>({
  maxSize: 2_000_000,
  sizeCalculation: (_, text) => text.length + 1,
});

function partsOf(template: string): Parts | 'liquid' {
  const known = plainParts.get(template);
  if (known !== undefined) return known;
  const text = inWords(template);
  const parts = !text.includes('{') ? [text] : hasOnlyPlainNames(text) ? text.split(plain) : 'liquid';
  plainParts.set(template, parts);
  return parts;
}

function renderPlain(parts: Parts, { values, marksValues }: { values: Values; marksValues: boolean }): Rendered {
  let text = parts[0] ?? '';
  for (let at = 1; at < parts.length; at += 2) {
    const name = parts[at] ?? '';
    const value = valueNamed(values, name);
    if (value === undefined) return { kind: 'missing', variable: name };
    text += (marksValues ? markedValue(value) : value) + (parts[at + 1] ?? '');
  }
  return { kind: 'rendered', text };
}
