import { acts } from '#contract/acts.ts';
import { utcText } from '#domain/utc-text.ts';

type Details = Readonly<Record<string, unknown>>;

const words: Readonly<Record<string, string>> = acts;

/** The act in words; for one that only a newer version knows, its name. */
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
  if (typeof value === 'string') return isInstant(value) ? utcText(value) : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

const isInstant = (value: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(value);
