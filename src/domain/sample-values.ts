import type { TemplateVariable } from '#contract/templates.ts';

/**
 * An example value for a variable in a preview, by its type or else by its name.
 * @param today formatted for people
 */
export function sampleValue({ name, type }: Pick<TemplateVariable, 'name' | 'type'>, today: string): string {
  if (type === 'email' || /e-?mail/i.test(name)) return 'john@example.com';
  if (type === 'date' || /date/i.test(name)) return today;
  if (type === 'number') return '123';
  if (/company/i.test(name)) return 'Acme Corp';
  if (/name/i.test(name)) return 'John Doe';
  if (/amount/i.test(name)) return '$99.99';
  return type === 'text'
    ? (byWords.find(({ words }) => words.test(wordsOf(name)))?.value(today) ?? 'Sample Value')
    : 'Sample Value';
}

const wordsOf = (name: string) =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.\s-]+/g, ' ')
    .toLowerCase();

/** Matched as whole words: `description` is no price and `weekend` no end. The first match counts. */
const byWords: { words: RegExp; value: (today: string) => string }[] = [
  { words: /\b(?:ends?|starts?|due|expires?|expiry|until|deadline|day|birthday)\b/, value: (today) => today },
  { words: /\btime\b/, value: () => '09:00' },
  { words: /\b(?:price|rent|total|cost|fee|balance|deposit)\b/, value: () => '$99.99' },
  { words: /\b(?:phone|mobile|tel)\b/, value: () => '+1 202 555 0143' },
  { words: /\b(?:url|link|website)\b/, value: () => 'https://example.com' },
  { words: /\b(?:count|quantity|number|days|hours|minutes|no)\b/, value: () => '123' },
  { words: /\b(?:plan|product)\b/, value: () => 'Premium' },
  { words: /\b(?:address|street)\b/, value: () => '12 Elm Street' },
  { words: /\bcity\b/, value: () => 'Springfield' },
];
