import type { TemplateVariable } from '#contract/templates.ts';
import { sampleValue } from '#domain/sample-values.ts';

type Listed = Pick<TemplateVariable, 'name' | 'type' | 'defaultValue'>;

/** The sample value of a variable: its default, else a generated one. `now` sets the date. */
export function sampleOf(name: string, { variables, now }: { variables: readonly Listed[]; now: Date }): string {
  const listed = variables.find((variable) => variable.name === name);
  if (listed !== undefined && listed.defaultValue.trim() !== '') return listed.defaultValue;
  return sampleValue({ name, type: listed?.type ?? 'text' }, now.toLocaleDateString('en-US', { dateStyle: 'long' }));
}

/** A text with sample values in place of plain placeholders. */
export const withSamples = (text: string, variables: readonly Listed[], now = new Date()): string =>
  text.replaceAll(/\{\{\s*([A-Za-z_][\w-]*)\s*\}\}/g, (_, name: string) => sampleOf(name, { variables, now }));
