import type { Envelope } from '#delivery/adapter.ts';

/** Slack cuts longer texts (docs.slack.dev chat.postMessage, "Truncating content"). */
export const maxCharacters = 40_000;

/** The subject in bold above the message. Only three characters need escaping (docs.slack.dev "Escaping text"). */
export function slackText({ subject, message }: Envelope): string {
  const head = subject.replaceAll(/[\s*]+/g, ' ').trim();
  return head === '' ? escaped(message) : `*${escaped(head)}*\n${escaped(message)}`;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
