import { slotted, tokens, unmarked } from './marked-values.ts';

/**
 * Marks a mention that the author of a message wrote, until the channel that sends it says whether it pings. Like the marks of values, these are
 * noncharacters, which are removed from everything that people write.
 */
const opening = '\ufdd6';
const closing = '\ufdd7';

/**
 * `@here` and its like as people type them, and Slack's own notation (docs.slack.dev, "Formatting message text"). Next to a word, an address or a value
 * it is none.
 */
const mention =
  /(?<![\p{L}\p{N}_@.\ufdd1-])@(?:here|channel|everyone)(?![\p{L}\p{N}_@\ufdd0-]|\.[\p{L}\p{N}])|<!(?:here|channel|everyone)>|<@[UW][A-Z0-9]{2,20}>|<!subteam\^S[A-Z0-9]{2,20}>/gu;
const marked = /\ufdd6([^\ufdd6\ufdd7]{1,40})\ufdd7/g;

/** Escapes the three characters that Slack reads as markup (docs.slack.dev, "Escaping text"). */
export const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The author's text, escaped, with its mentions marked. */
export function withMentions(text: string): string {
  let written = '';
  let end = 0;
  for (const { 0: found, index } of text.matchAll(mention)) {
    written += escapeSlack(text.slice(end, index)) + opening + found + closing;
    end = index + found.length;
  }
  return written + escapeSlack(text.slice(end));
}

/** A plain text with marked values for Slack: only the mentions between the values are marked. */
export function plainForSlack(text: string): string {
  const { source, values } = slotted(text);
  const pieces = withMentions(source).split(tokens);
  let written = pieces[0] ?? '';
  // A token has two groups, and comes with the text after it.
  for (let at = 1; at < pieces.length; at += 3)
    written += escapeSlack(values[(at - 1) / 3] ?? '') + (pieces[at + 2] ?? '');
  return written;
}

/** The text with its mentions as Slack's, which ping, or as the words that were written. */
export const settleMentions = (text: string, { ping }: { ping: boolean }): string =>
  unmarked(text.replaceAll(marked, (_, found: string) => (ping ? notationOf(found) : escapeSlack(found))));

/** The text as its author wrote it, without marks and escapes, for a reader who is not in Slack. */
export const resolvedText = (text: string): string =>
  settleMentions(text, { ping: false }).replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const notationOf = (found: string) => (found.startsWith('@') ? `<!${found.slice(1)}>` : found);

/** Whom a text with marked mentions pings where the channel allows it, each once, in Slack's notation. */
export const mentionsIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(marked), ([, found = '']) => notationOf(found))),
];

/** A person as people type one in Slack's own app, which knows the id of who is meant; an API does not. An address is none. */
const typedName =
  /(?<![\p{L}\p{N}_@./<-]|&lt;)@(?!(?:here|channel|everyone)(?![\p{L}\p{N}_]))\p{L}[\p{L}\p{N}_]{0,40}/gu;

/** What of a message looks like a mention and pings nobody, each once: mentions in its title, and names without an id in its text. */
export const silentMentions = ({ title, text }: { title: string; text: string }) => ({
  inTitle: found(title, mention).concat(found(title, typedName)),
  names: found(text, typedName),
});

const found = (text: string, pattern: RegExp): string[] => [
  ...new Set(Array.from(text.matchAll(pattern), ([one]) => one)),
];
