import type { Envelope } from '#delivery/adapter.ts';
import { escapeSlack } from '#domain/message-format/message-text.ts';

/** Slack cuts longer texts (docs.slack.dev chat.postMessage, "Truncating content"). */
export const maxCharacters = 40_000;

/** The subject in bold above the message. */
export function slackText({ subject, message, formatted }: Envelope): string {
  const head = subject.replaceAll(/[\s*]+/g, ' ').trim();
  const text = formatted === undefined ? escapeSlack(message) : message;
  return head === '' ? text : `*${escapeSlack(head)}*\n${text}`;
}
