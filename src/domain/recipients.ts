import type { ChannelType } from '#contract/reminders.ts';

/** What a line of the recipient list is: an address, a phone number, a URL, or something no channel understands. */
export type Recipient =
  | { kind: 'email'; address: string; name: string | null }
  | { kind: 'phone'; address: string; name: string | null }
  | { kind: 'url'; address: string; name: null }
  | { kind: 'other'; address: string; name: string | null };

/** One target of an occurrence. `problem` says why it is recorded as skipped instead of sent. */
export type Target = { channel: ChannelType; recipient: string; recipient_name: string | null; problem: string | null };

const named = /^\s*"?([^"<>]*?)"?\s*<([^<>\s]+)>\s*$/;
const email = /^[^\s@<>,;"]+@[^\s@<>,;"]+$/;
const phone = /^\+?[0-9][0-9 ().\-/]{4,24}$/;
const url = /^https?:\/\/\S+$/i;

export function parseRecipient(text: string): Recipient {
  const trimmed = text.trim();
  if (url.test(trimmed)) return { kind: 'url', address: trimmed, name: null };
  const match = named.exec(trimmed);
  const address = match?.[2] ?? trimmed;
  const name = match?.[1] === undefined || match[1] === '' ? null : match[1];
  if (email.test(address)) return { kind: 'email', address, name };
  if (phone.test(address)) return { kind: 'phone', address: address.replace(/[ ().\-/]/g, ''), name };
  return { kind: 'other', address: trimmed, name: null };
}

/**
 * Every recipient on every chosen channel that its form fits: address to email, phone to sms and whatsapp. The webhook
 * channel calls the URLs in the list; without any it calls its own URL once per recipient. Slack posts once to its
 * configured channel. A recipient that fits no chosen channel becomes a target with a problem, so that it is recorded.
 */
export function targetsOf(recipients: readonly string[], channels: readonly ChannelType[]): Target[] {
  const parsed = recipients.map(parseRecipient);
  const hasUrls = parsed.some((recipient) => recipient.kind === 'url');
  const targets = new Map<string, Target>();
  const add = (target: Target) => {
    const key = `${target.channel} ${target.recipient.toLowerCase()}`;
    if (!targets.has(key)) targets.set(key, target);
  };

  for (const recipient of parsed) {
    const fitting = channels.filter((channel) => fits(recipient, { channel, hasUrls }));
    for (const channel of fitting)
      add({ channel, recipient: recipient.address, recipient_name: recipient.name, problem: null });
    const [first] = channels;
    if (
      fitting.length === 0 &&
      first !== undefined &&
      !channels.some((channel) => channel === 'slack' || channel === 'push')
    ) {
      add({
        channel: first,
        recipient: recipient.address,
        recipient_name: recipient.name,
        problem: misfit(recipient, channels),
      });
    }
  }
  for (const channel of channels) {
    if (channel === 'slack' || channel === 'push')
      add({ channel, recipient: channel, recipient_name: null, problem: null });
  }
  return [...targets.values()];
}

function fits(recipient: Recipient, { channel, hasUrls }: { channel: ChannelType; hasUrls: boolean }): boolean {
  switch (channel) {
    case 'email':
      return recipient.kind === 'email';
    case 'sms':
    case 'whatsapp':
      return recipient.kind === 'phone';
    case 'webhook':
      return hasUrls ? recipient.kind === 'url' : true;
    case 'slack':
    case 'push':
      return false;
    default:
      return channel satisfies never;
  }
}

function misfit(recipient: Recipient, channels: readonly ChannelType[]): string {
  const chosen = channels.join(', ');
  switch (recipient.kind) {
    case 'email':
      return `An e-mail address fits none of the chosen channels (${chosen})`;
    case 'phone':
      return `A phone number fits none of the chosen channels (${chosen})`;
    case 'url':
      return `A URL fits none of the chosen channels (${chosen})`;
    case 'other':
      return `"${recipient.address}" is neither an e-mail address, a phone number nor a URL`;
    default:
      return recipient satisfies never;
  }
}
