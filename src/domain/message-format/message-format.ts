import { LRUCache } from 'lru-cache';
import { mailBody, mailNotation } from './mail-body.ts';
import { parseMarkdown } from './markdown.ts';
import { slotted, unmarked } from './marked-values.ts';
import { messageText, slackNotation, type TextNotation, whatsappNotation, wordsNotation } from './message-text.ts';
import { filledWith, type Pieces, piecesOf } from './writer.ts';

/** The formats of messages: of mails, of two chats with their own marks, and text without any. */
export const messageForms = ['mail', 'slack', 'whatsapp', 'words'] as const;
export type MessageForm = (typeof messageForms)[number];

/** A message without its values. `html` is the body of a mail. */
export type Compiled = { text: Pieces; html: Pieces | null };

/** `html` is the body of a mail; null where it would be too large, and for other channels. */
export type Formatted = { text: string; html: string | null };

/** The longest message that is formatted; longer ones are sent as they are written. */
export const longestFormatted = 100_000;

/** The largest body in bytes: with its layout the mail stays below 100 kB, since Gmail cuts mails at 102 kB. */
const largestBody = 92_000;

const notations = { mail: wordsNotation, slack: slackNotation, whatsapp: whatsappNotation, words: wordsNotation };

/** @param source the message, with slots for its values */
export function compile(source: string, form: MessageForm): Compiled {
  const blocks = parseMarkdown(source);
  const notation: TextNotation = notations[form];
  return {
    text: piecesOf(notation, (writer) => messageText(blocks, { writer, marks: notation.marks })),
    html: form === 'mail' ? piecesOf(mailNotation, (writer) => mailBody(blocks, writer)) : null,
  };
}

export function fill({ text, html }: Compiled, { values, form }: { values: readonly string[]; form: MessageForm }) {
  const body = html === null ? null : filledWith(values, { pieces: html, notation: mailNotation });
  return {
    text: filledWith(values, { pieces: text, notation: notations[form] }),
    html: body === null || isTooLarge(body) ? null : body,
  };
}

/** Multiplied by three, the most bytes that a UTF-16 unit takes. */
const isTooLarge = (html: string) =>
  html.length > largestBody || (html.length > largestBody / 3 && new TextEncoder().encode(html).length > largestBody);

/** The message as it is written, with its values. */
const asWritten = (text: string, form: MessageForm): Formatted => ({
  text: notations[form].text(unmarked(text), 'text'),
  html: null,
});

// Thousands of recipients get the same message, which is compiled once.
const compiled = new LRUCache<string, Compiled>({ maxSize: 1_000_000, sizeCalculation: (_, key) => key.length });

type Asked = { source: string; form: MessageForm };

/** Formats a text with marked values. `ask` compiles one that is not known yet. */
export function format(
  text: string,
  { form, ask }: { form: MessageForm; ask: (of: Asked) => Compiled | null | Promise<Compiled | null> },
): Formatted | Promise<Formatted> {
  if (text.length > longestFormatted) return asWritten(text, form);
  const { source, values } = slotted(text);
  const key = `${form} ${source}`;
  const finish = (one: Compiled | null): Formatted => {
    if (one === null) return asWritten(text, form);
    compiled.set(key, one);
    return fill(one, { values, form });
  };
  const known = compiled.get(key);
  if (known !== undefined) return fill(known, { values, form });
  const asked = compiling.get(key) ?? ask({ source, form });
  if (!(asked instanceof Promise)) return finish(asked);
  if (!compiling.has(key)) {
    compiling.set(key, asked);
    void asked.finally(() => compiling.delete(key)).catch(() => undefined);
  }
  return asked.then(finish);
}

const compiling = new Map<string, Promise<Compiled | null>>();

/** Formats in the caller's thread. */
export function formatHere(text: string, form: MessageForm): Formatted {
  const formatted = format(text, { form, ask: ({ source }) => compile(source, form) });
  if (formatted instanceof Promise) throw new Error('Nothing here waits');
  return formatted;
}
