import { capitalized } from '#domain/in-words.ts';

/** The title of a reminder from its subject, without the values of each person: `Your rent of {{amount}} is due` is `Your rent is due`. */
export function titleOf(subject: string): string {
  const without = tidied(subject.replaceAll(/(?: (?:of|for|at|by|to|from|in|on|over))?\s?\{\{[^{}]{0,200}\}\}/gi, ''));
  // A sentence that begins with a value is none without it.
  const isWhole = !subject.trimStart().startsWith('{{') && without.length > 0;
  return isWhole
    ? without
    : capitalized(tidied(subject.replaceAll(/\{\{([^{}]{0,200})\}\}/g, (_, name: string) => nameIn(name))));
}

/** `amount_due | upcase` is `amount due`. */
const nameIn = (expression: string) => (expression.split('|')[0] ?? '').trim().replaceAll('_', ' ');

const tidied = (text: string) =>
  text
    .replaceAll(/\s{1,200}([,.!?:;])/g, '$1')
    .replaceAll(/\s{2,200}/g, ' ')
    .replace(/^[\s,;:]{1,200}/, '')
    .trim();
