import type { InboxMessage } from '#contract/inbox.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { piecesOfSlack, piecesOfWhatsApp } from './marked-text.ts';

/** The title of a message in the list: its subject, or else the first line of its text. */
export function titleOf({ channel, subject, text }: InboxMessage): string {
  const [firstLine = ''] = text.trim().split('\n');
  return subject || plainOf(firstLine.slice(0, 200), channel) || 'No subject';
}

/** A line without its formatting marks. */
function plainOf(line: string, channel: InboxMessage['channel']): string {
  if (channel !== 'slack' && channel !== 'whatsapp') return line;
  const pieces = channel === 'slack' ? piecesOfSlack(line) : piecesOfWhatsApp(line);
  return pieces.map((piece) => piece.text).join('');
}

/** The heading of an open message: its subject, or else its channel and recipient. */
export function headingOf(message: InboxMessage): string {
  const { channel, sender, recipient, subject, reply_to: replyTo } = message;
  if (replyTo !== null && channel !== 'email') return `Answer from ${sender}`;
  if (subject !== '' || channel === 'email') return titleOf(message);
  return channel === 'slack' ? `Slack message in ${recipient}` : `${channelLooks[channel].name} to ${recipient}`;
}

/** The display names of the emulated providers. */
export const providerNames: Record<string, string> = {
  twilio: 'Twilio',
  aws_sns: 'AWS SNS',
  messagebird: 'MessageBird',
  nexmo: 'Vonage',
  waha: 'WAHA',
  whatsapp_business: 'WhatsApp Cloud API',
  slack: 'Slack',
  push: 'Web push service',
};

/** `1 segment`, `2 segments`. */
export const segmentsInWords = (count: number) => `${count} segment${count === 1 ? '' : 's'}`;

/** The provider's report about a message, and Cuebird's response. */
export function reportInWords({ report, reply_to: replyTo }: Pick<InboxMessage, 'report' | 'reply_to'>): string | null {
  if (report === null) return null;
  const reported = replyTo === null ? `Reported to Cuebird: ${report.status}` : 'Forwarded to Cuebird';
  return `${reported}; it answered ${report.answer}`;
}
