import type { InboxMessage } from '#contract/inbox.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { piecesOfSlack, piecesOfWhatsApp } from './marked-text.ts';

/** What a message is called in the list: its subject, or where it has none the first line of its text. */
export function titleOf({ channel, subject, text }: InboxMessage): string {
  const [firstLine = ''] = text.trim().split('\n');
  return subject || plainOf(firstLine.slice(0, 200), channel) || 'No subject';
}

/** Without the marks that only say how it looks. */
function plainOf(line: string, channel: InboxMessage['channel']): string {
  if (channel !== 'slack' && channel !== 'whatsapp') return line;
  const pieces = channel === 'slack' ? piecesOfSlack(line) : piecesOfWhatsApp(line);
  return pieces.map((piece) => piece.text).join('');
}

/** What stands above a message that is read: its subject, or where it has none, what kind it is and whom it went to. */
export function headingOf(message: InboxMessage): string {
  const { channel, sender, recipient, subject, reply_to: replyTo } = message;
  if (replyTo !== null && channel !== 'email') return `Answer from ${sender}`;
  if (subject !== '' || channel === 'email') return titleOf(message);
  return channel === 'slack' ? `Slack message in ${recipient}` : `${channelLooks[channel].name} to ${recipient}`;
}

/** How people call the provider whose part the sandbox played. */
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

/** What the provider told Cuebird about a message, and what Cuebird answered. */
export function reportInWords({ report, reply_to: replyTo }: Pick<InboxMessage, 'report' | 'reply_to'>): string | null {
  if (report === null) return null;
  const told = replyTo === null ? `Told Cuebird: ${report.status}` : 'Brought to Cuebird';
  return `${told}; it answered ${report.answer}`;
}
