import type { ChannelType } from '#contract/reminders.ts';
import { parseRecipient, targetsOf } from '#domain/recipients.ts';

/** Somebody to read the message, where nobody is entered yet. */
export const sampleRecipient = 'John Doe <john@example.com>';

/** Over which of the chosen channels this recipient gets the message; Slack and push bring it to whom they are set up for. */
export function channelsFor(recipient: string, channels: readonly ChannelType[]): ChannelType[] {
  const reached = new Set(
    targetsOf([recipient], channels).flatMap(({ channel, problem }) => (problem === null ? [channel] : [])),
  );
  return channels.filter((channel) => reached.has(channel));
}

/** A part of a text; `isMissing` where a variable without a value stands as it is written. */
export type Part = { text: string; isMissing: boolean };

/** The text, with what stands for a missing variable apart. Filters may have changed its letters. */
export function markedParts(text: string, missing: readonly string[]): Part[] {
  const placeholders = new Set(missing.map((name) => `{{${name}}}`.toLowerCase()));
  const pieces = text.split(/(\{\{[^{}]*\}\})/).filter((piece) => piece !== '');
  return pieces.map((piece) => ({ text: piece, isMissing: placeholders.has(piece.toLowerCase()) }));
}

/** What Liquid says is wrong, and in which line: `tag … not closed (line 2)`. */
export function problemInWords(message: string): string {
  const [, said = message, line] = /^(.*?),? line:(\d+)(?:, col:\d+)?/s.exec(message) ?? [];
  return line === undefined ? said : `${said} (line ${line})`;
}

/** The address or number by which a contact is looked for, null where there is none. */
export function contactKeyOf(recipient: string): string | null {
  const { kind, address } = parseRecipient(recipient);
  return kind === 'email' || kind === 'phone' ? address.toLowerCase() : null;
}
