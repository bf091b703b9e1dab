import type { ChannelType } from '#contract/channel-types.ts';
import { targetsOf } from '#domain/recipients.ts';

/** The preview's recipient while none is entered. */
export const sampleRecipient = 'John Doe <john@example.com>';

/** The selected channels that reach this recipient; Slack and push have recipients of their own. */
export function channelsFor(recipient: string, channels: readonly ChannelType[]): ChannelType[] {
  const reached = new Set(
    targetsOf([recipient], channels).flatMap(({ channel, problem }) => (problem === null ? [channel] : [])),
  );
  return channels.filter((channel) => reached.has(channel));
}

/** A part of a text; `isMissing` marks the placeholder of a variable without a value. */
export type Part = { text: string; isMissing: boolean };

/** Splits off the placeholders of missing variables. The match ignores case, because filters may have changed it. */
export function markedParts(text: string, missing: readonly string[]): Part[] {
  const placeholders = new Set(missing.map((name) => `{{${name}}}`.toLowerCase()));
  const pieces = text.split(/(\{\{[^{}]*\}\})/).filter((piece) => piece !== '');
  return pieces.map((piece) => ({ text: piece, isMissing: placeholders.has(piece.toLowerCase()) }));
}

/** Liquid's error with its line: `tag … not closed (line 2)`. */
export function problemInWords(message: string): string {
  const [, said = message, line] = /^(.*?),? line:(\d+)(?:, col:\d+)?/s.exec(message) ?? [];
  return line === undefined ? said : `${said} (line ${line})`;
}

/** Shows the names of variables without a value in their place. */
export const placeholdersOf = (missing: readonly string[]): Record<string, string> =>
  Object.fromEntries(missing.map((name) => [name, `{{${name}}}`]));
