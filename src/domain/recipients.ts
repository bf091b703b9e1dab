import { type EmailAddress, mailboxKey, parseEmail, typoOf } from '#contract/email-address.ts';
import { invisibleInAddress, withoutInvisible } from '#contract/invisible.ts';
import { type ChannelType, destinationNames, isAddressed } from '#contract/channel-types.ts';
import { type Reason, unfitAddress } from '#domain/ledger-reasons.ts';
import type { Steps } from '#domain/steps.ts';

/** What a line of the recipient list is: an address, a phone number, a URL, or text that fits no channel. */
export type Recipient =
  | { kind: 'email'; address: string; name: string | null }
  | { kind: 'phone'; address: string; name: string | null }
  | { kind: 'url'; address: string; name: string | null }
  | { kind: 'other'; address: string; name: string | null };

/** One target of an occurrence. `problem` is the reason why it is skipped instead of sent. */
export type Target = {
  channel: ChannelType;
  recipient: string;
  recipient_name: string | null;
  problem: Reason | null;
  /** For a person of the audience: the contact. */
  contact_id?: string;
  /** What makes the person part of the audience; or the address by which the list has the person, where this one is not it. */
  through?: string;
  /** Set where the person prefers this channel. */
  is_preferred?: true;
  /** Set where this channel comes before the reminder's order for that reason. */
  by_preference?: true;
};

const phone = /^(?:\+|\+?\()?[0-9][0-9\s().\p{Pd}/]{4,24}$/u;
const url = /^https?:\/\/[^\s<>]+$/i;

export const parseRecipient = (text: string): Recipient => parseLine(text).recipient;

/** One line of a recipient list, parsed once for all uses. */
export type Line = {
  recipient: Recipient;
  /** Lines with the same key mean the same recipient. */
  key: string;
  /** Set when the line is an email address. */
  email: EmailAddress | null;
  /**
   * Why nothing is sent to a recipient with invisible characters, which could imitate another one; null when there are
   * none.
   */
  invisible: string | null;
  /** Another address of the same person, where an event names both. */
  through?: string;
};

/** @param named addresses of one person, who is written to by the first email address among them, or else by the first */
export function parseLineOf(text: string, { named }: { named: readonly string[] }): Line {
  const line = parseLine(text);
  if (named.length < 2 || !named.includes(text)) return line;
  const own = named.map((each) => parseLine(each));
  const [first] = [...own.filter(({ email }) => email !== null), ...own];
  return first === undefined || first.key === line.key ? line : { ...line, through: first.recipient.address };
}

export function parseLine(text: string): Line {
  const { address, name } = splitName(text.trim());
  if (url.test(address))
    return { recipient: { kind: 'url', address, name }, key: urlKey(address), email: null, invisible: null };
  const email = parseEmail(address);
  if (email !== null) {
    const invisible = invisibleIn(address, 'email address');
    return { recipient: { kind: 'email', address, name }, key: mailboxKey(email), email, invisible };
  }
  const number = withoutInvisible(address);
  if (phone.test(number)) {
    const recipient: Recipient = { kind: 'phone', address: dialled(number), name };
    return { recipient, key: recipient.address, email: null, invisible: invisibleIn(address, 'phone number') };
  }
  const recipient: Recipient = { kind: 'other', address: text.trim(), name: null };
  return { recipient, key: recipient.address.toLowerCase(), email: null, invisible: null };
}

let lastUrl = { url: '', key: '' };

// The key of a URL. Cached, because thousands of messages use the same one, and parsing it costs more than the rest of the line.
function urlKey(text: string): string {
  if (lastUrl.url !== text) lastUrl = { url: text, key: URL.parse(text)?.href ?? text };
  return lastUrl.key;
}

function invisibleIn(address: string, noun: string): string | null {
  const found = invisibleInAddress(address);
  return found === null ? null : `The ${noun} ${found}`;
}

/** `Name <address>`, the name optionally in quotes. Searched by hand: a regular expression would try every blank. */
function splitName(text: string): { address: string; name: string | null } {
  const open = text.lastIndexOf('<');
  if (open === -1 || !text.endsWith('>')) return { address: text, name: null };
  const before = text.slice(0, open).trim();
  const isQuoted = before.length > 1 && before.startsWith('"') && before.endsWith('"');
  const name = (isQuoted ? before.slice(1, -1).replaceAll(/\\(.)/g, '$1') : before).replaceAll(/\s+/g, ' ').trim();
  return { address: text.slice(open + 1, -1).trim(), name: name === '' ? null : name };
}

/** Removes what is not dialled, such as the zero in `+49 (0)30 1234`. `00` is the prefix of international calls (ITU-T E.164). */
function dialled(text: string): string {
  const number = text.replace(/^00(?=[\s().\p{Pd}/]*[1-9])/u, '+');
  return (number.startsWith('+') ? number.replace('(0)', '') : number).replaceAll(/[^\d+]/g, '');
}

/**
 * Pairs every recipient with every chosen channel that fits it: address to email, phone to sms and whatsapp. The
 * webhook channel calls the URLs in the list; without any it calls its own URL once per recipient. Slack and web push
 * are sent once, to their own destinations. A recipient that fits no chosen channel becomes a target with a
 * problem, so that it is recorded.
 */
export const targetsOf = (
  recipients: readonly string[],
  channels: readonly ChannelType[],
  international?: International,
): Target[] => targetsOfLines(recipients.map(parseLine), channels, international);

/** A number in E.164, as this channel calls it; a number whose country is unknown stays as it is. */
export type International = (number: string, channel: PhoneChannel) => string;
export type PhoneChannel = 'sms' | 'whatsapp';

/** Whether a line is one of these addresses (given as keys) or numbers (in E.164). */
export const isLineTo = (
  { recipient: { kind, address }, key }: Line,
  { keys, international }: { keys: ReadonlySet<string>; international: International },
): boolean =>
  keys.has(key) ||
  (kind === 'phone' && (['sms', 'whatsapp'] as const).some((channel) => keys.has(international(address, channel))));

/** `targetsOf` for parsed lines. */
export const targetsOfLines = (
  lines: readonly Line[],
  channels: readonly ChannelType[],
  international?: International,
): Target[] => {
  const targets = collectTargets(lines, { channels, international });
  lines.forEach(targets.add);
  return targets.all();
};

/** `targetsOfLines` as a computation that yields after each line. */
export function* stepThroughLines(
  lines: readonly Line[],
  of: { channels: readonly ChannelType[]; international?: International | undefined },
): Steps<Target[]> {
  const targets = collectTargets(lines, of);
  for (const line of lines) {
    yield;
    targets.add(line);
  }
  return targets.all();
}

/** Collects targets: `add` takes the lines one by one, so that the caller can pause in between; `all` returns the targets. */
function collectTargets(
  lines: readonly Line[],
  {
    channels,
    international = (number) => number,
  }: { channels: readonly ChannelType[]; international?: International | undefined },
): { add: (line: Line) => void; all: () => Target[] } {
  const hasUrls = lines.some(({ recipient }) => recipient.kind === 'url');
  const addressed = channels.filter(isAddressed);
  const targets = new Map<string, Target>();
  const keep = (target: Target, key: string) => {
    const position = `${target.channel} ${key}`;
    const known = targets.get(position);
    // Of two spellings of one address, keeps the one that can be sent to.
    if (known === undefined || (known.problem !== null && target.problem === null)) targets.set(position, target);
  };

  function add({ recipient, key, invisible, through }: Line): void {
    const target = {
      recipient: recipient.address,
      recipient_name: recipient.name,
      ...(through !== undefined && { through }),
    };
    const fitting = addressed.filter((channel) => fits(recipient, { channel, hasUrls }));
    for (const channel of fitting) {
      const number = isPhoneChannel(channel) ? international(recipient.address, channel) : null;
      const problem = invisible === null ? null : unfitAddress(invisible);
      keep({ ...target, channel, ...(number !== null && { recipient: number }), problem }, number ?? key);
    }
    const [first] = addressed;
    if (fitting.length === 0 && first !== undefined)
      keep({ ...target, channel: first, problem: unfitAddress(misfit(recipient, addressed)) }, key);
  }
  function all(): Target[] {
    for (const channel of channels) {
      if (!isAddressed(channel))
        keep({ channel, recipient: channel, recipient_name: destinationNames[channel], problem: null }, channel);
    }
    return [...targets.values()];
  }

  return { add, all };
}

/** How many destinations of their own a message over these channels has beside its people. */
export const countDestinations = (channels: readonly ChannelType[]): number =>
  channels.filter((channel) => !isAddressed(channel)).length;

/** The addresses of these recipients that look mistyped, each with the reason; empty when nothing is sent by email. */
export function mistypedIn(
  recipients: readonly string[],
  channels: readonly ChannelType[],
): { address: string; typo: string }[] {
  if (!channels.includes('email')) return [];
  return recipients.flatMap((text) => {
    const line = parseLine(text);
    const typo = typoInLine(line);
    return typo === null ? [] : [{ address: line.recipient.address, typo }];
  });
}

/** The likely typo in a line's address; null when there is none or it has no address. */
export const typoInLine = ({ email, recipient }: Line): string | null =>
  email === null ? null : typoOf(email, recipient.address);

/** What a message calls its recipient while it knows no name: a destination of its own is read by everyone there. */
export const addresseeOf = (channel: ChannelType, recipient: string): string =>
  isAddressed(channel) ? recipient : 'everyone';

export const isPhoneChannel = (channel: ChannelType): channel is PhoneChannel =>
  channel === 'sms' || channel === 'whatsapp';

/** The key under which two lines of a recipient list, or of the ledger, are the same. */
export const recipientKey = (text: string): string => parseLine(text).key;

/** Why nothing is sent to a recipient with invisible characters; null when there are none. */
export function invisibleInRecipient(text: string): Reason | null {
  const { invisible } = parseLine(text);
  return invisible === null ? null : unfitAddress(invisible);
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
      return `An email address fits none of the chosen channels (${chosen})`;
    case 'phone':
      return `A phone number fits none of the chosen channels (${chosen})`;
    case 'url':
      return `A URL fits none of the chosen channels (${chosen})`;
    case 'other':
      return `"${recipient.address}" is neither an email address, a phone number nor a URL`;
    default:
      return recipient satisfies never;
  }
}
