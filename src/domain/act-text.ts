import { acts } from '#contract/acts.ts';

type Details = Readonly<Record<string, unknown>>;

const words: Readonly<Record<string, string>> = acts;

/** The act in plain words; the action itself where a newer version has recorded it. */
export function actText(action: string, details: Details): string {
  const text = Object.hasOwn(words, action) ? words[action] : undefined;
  if (text === undefined) return action;
  const kept = text.replaceAll(/\[([^[\]]*)\]/g, (_, part: string) => (isComplete(part, details) ? part : ''));
  return kept.replaceAll(placeholder, (_, name: string) => valueOf(details, name) || 'unknown');
}

const placeholder = /\{(\w+)\}/g;

const isComplete = (part: string, details: Details) =>
  [...part.matchAll(placeholder)].every(([, name = '']) => valueOf(details, name) !== '');

function valueOf(details: Details, name: string): string {
  const value = Object.hasOwn(details, name) ? details[name] : null;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
