import type { ChannelType } from '#contract/reminders.ts';

/** What a line of the recipient list is: an address, a phone number, a URL, or something no channel understands. */
export type Recipient =
  | { kind: 'email'; address: string; name: string | null }
  | { kind: 'phone'; address: string; name: string | null }
  | { kind: 'url'; address: string; name: string | null }
  | { kind: 'other'; address: string; name: string | null };

/** One target of an occurrence. `problem` says why it is recorded as skipped instead of sent. */
export type Target = { channel: ChannelType; recipient: string; recipient_name: string | null; problem: string | null };

const email = /^[^\s@<>,;"]+@[^\s@<>,;"]+$/;
const phone = /^(?:\+|\+?\()?[0-9][0-9\s().\p{Pd}/]{4,24}$/u;
const url = /^https?:\/\/[^\s<>]+$/i;

export function parseRecipient(text: string): Recipient {
  const { address, name } = splitName(text.trim());
  if (url.test(address)) return { kind: 'url', address, name };
  if (email.test(address)) return { kind: 'email', address, name };
  if (phone.test(address)) return { kind: 'phone', address: dialled(address), name };
  return { kind: 'other', address: text.trim(), name: null };
}

/** `Name <address>`, the name in quotes if it likes. Searched by hand: a regular expression would try every blank. */
function splitName(text: string): { address: string; name: string | null } {
  const open = text.lastIndexOf('<');
  if (open === -1 || !text.endsWith('>')) return { address: text, name: null };
  const before = text.slice(0, open).trim();
  const isQuoted = before.length > 1 && before.startsWith('"') && before.endsWith('"');
  const name = (isQuoted ? before.slice(1, -1).replaceAll(/\\(.)/g, '$1') : before).replaceAll(/\s+/g, ' ').trim();
  return { address: text.slice(open + 1, -1).trim(), name: name === '' ? null : name };
}

/** Without what is only there to be read: in `+49 (0)30 1234` the zero is not dialled either. */
const dialled = (number: string) =>
  (number.startsWith('+') ? number.replace('(0)', '') : number).replaceAll(/[^\d+]/g, '');

/**
 * Every recipient on every chosen channel that its form fits: address to email, phone to sms and whatsapp. The webhook
 * channel calls the URLs in the list; without any it calls its own URL once per recipient. Slack and web push go once to
 * whom they are configured for. A recipient that fits no other chosen channel becomes a target with a problem, so that it
 * is recorded.
 */
export function targetsOf(recipients: readonly string[], channels: readonly ChannelType[]): Target[] {
  const parsed = recipients.map(parseRecipient);
  const hasUrls = parsed.some((recipient) => recipient.kind === 'url');
  const addressed = channels.filter((channel) => channel !== 'slack' && channel !== 'push');
  const targets = new Map<string, Target>();
  const add = (target: Target, key: string) => {
    if (!targets.has(`${target.channel} ${key}`)) targets.set(`${target.channel} ${key}`, target);
  };

  for (const recipient of parsed) {
    const target = { recipient: recipient.address, recipient_name: recipient.name };
    const fitting = addressed.filter((channel) => fits(recipient, { channel, hasUrls }));
    for (const channel of fitting) add({ ...target, channel, problem: null }, keyOf(recipient));
    const [first] = addressed;
    if (fitting.length === 0 && first !== undefined)
      add({ ...target, channel: first, problem: misfit(recipient, addressed) }, keyOf(recipient));
  }
  for (const channel of channels) {
    if (channel === 'slack' || channel === 'push')
      add({ channel, recipient: channel, recipient_name: null, problem: null }, channel);
  }
  return [...targets.values()];
}

/** Tells whether two lines of a recipient list, or of the ledger, mean the same. */
export const recipientKey = (text: string) => keyOf(parseRecipient(text));

/** Who is the same however it is written; the path of a URL is not a matter of taste. */
const keyOf = ({ kind, address }: Recipient) =>
  kind === 'url' ? (URL.parse(address)?.href ?? address) : address.toLowerCase();

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
