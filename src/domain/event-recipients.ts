import { isAddressed } from '#contract/channel-types.ts';
import { type Audience, isAudience } from '#contract/audience.ts';
import type { Reminder } from '#contract/reminders.ts';
import { variableKey } from '#contract/variable-name.ts';
import { parseRecipient } from '#domain/recipients.ts';

type Event = { data: Readonly<Record<string, string>>; recipients?: readonly string[] | undefined };
type Written = { content: { recipients: readonly string[] }; metadata: Reminder['metadata'] };

/**
 * To whom an event's job is sent. A reminder for recipients of the event is sent to them, its own list and its audience; for any other reminder,
 * recipients in the event replace its own. `named` are addresses of one person: those that the event's data names.
 */
export function addressedByEvent(
  { content, metadata }: Written,
  { data, recipients }: Event,
): { recipients: readonly string[]; named: readonly string[]; audience: Audience | null } {
  const audience = isAudience(metadata.audience) ? metadata.audience : null;
  if (metadata.event_recipients === true) {
    const named = recipients === undefined ? recipientsIn(data) : [];
    return { recipients: [...(recipients ?? named), ...content.recipients], named, audience };
  }
  return recipients === undefined
    ? { recipients: content.recipients, named: [], audience }
    : { recipients, named: [], audience: null };
}

/** Whether an event's job has no recipient. Slack and push need none. */
export const isForNobody = (
  { recipients, audience }: Pick<ReturnType<typeof addressedByEvent>, 'recipients' | 'audience'>,
  { channels }: Pick<Reminder['metadata'], 'channels'>,
): boolean => recipients.length === 0 && audience === null && channels.every(isAddressed);

/** The objects of an event's data that may name a recipient, the most specific first; `''` is the data itself. */
const namingObjects = ['recipient', 'contact', '', 'customer', 'user'] as const;

const addressKeys = new Set(
  ['email', 'e-mail', 'email_address', 'phone', 'phone_number', 'recipient_email', 'recipient_phone', 'recipient'].map(
    variableKey,
  ),
);
const nameKeys = new Set(['name', 'recipient_name'].map(variableKey));

/**
 * The recipients that an event's data names: the email address and the phone number of `recipient`, `contact`, the data itself,
 * `customer` or `user`, the first of these that has one. URLs are never taken from data, because a webhook's headers would go there.
 */
export function recipientsIn(data: Readonly<Record<string, string>>): string[] {
  const found = new Map<string, { addresses: string[]; name: string | null }>();
  for (const [path, value] of Object.entries(data)) {
    const parts = path.split('.');
    const key = variableKey(parts.at(-1) ?? '');
    const object = parts.length === 1 ? '' : parts.length === 2 ? variableKey(parts[0] ?? '') : null;
    if (object === null) continue;
    const known = found.get(object) ?? { addresses: [], name: null };
    found.set(object, known);
    if (nameKeys.has(key)) known.name ??= plainName(value);
    else if (addressKeys.has(key) && isAddress(value) && !known.addresses.includes(value.trim()))
      known.addresses.push(value.trim());
  }
  for (const object of namingObjects) {
    const { addresses = [], name = null } = found.get(object) ?? {};
    if (addresses.length === 0) continue;
    return addresses.map((address) => (name === null || address.includes('<') ? address : `${name} <${address}>`));
  }
  return [];
}

/** No address is longer than this; an index entry of the ledger can have 2,000 bytes. */
const longestAddress = 400;

function isAddress(value: string): boolean {
  if (value.length > longestAddress) return false;
  const { kind } = parseRecipient(value);
  return kind === 'email' || kind === 'phone';
}

function plainName(value: string): string | null {
  const name = value
    .slice(0, 200)
    .replaceAll(/[\p{Cc}<>"]/gu, ' ')
    .trim();
  return name === '' ? null : name;
}
