import type { Delivery } from '#contract/deliveries.ts';
import { audienceLimits } from '#contract/audience.ts';
import { isAddressed } from '#contract/channel-types.ts';
import { limits } from '#contract/reminders.ts';
import { isExclusion } from '#domain/exclusions.ts';
import { parseRecipient, recipientKey } from '#domain/recipients.ts';
import type { HandedPeople } from '#web/features/reminders/form/handed-people.ts';

type Line = Pick<Delivery, 'channel' | 'recipient' | 'recipient_name' | 'contact_id' | 'reason_code'>;

/**
 * Who got nothing over any channel, though they were to get it: contacts, and the addresses and numbers that are no contact's. Null when they are more than
 * one message can name.
 * @param lines.served the lines of those who got it, where somebody has several
 */
export function unreachedPeople({
  failed,
  served,
}: {
  failed: readonly Line[];
  served: readonly Line[];
}): HandedPeople | null {
  const done = new Set(served.map(personOf));
  const missed = failed.filter(
    (line) =>
      isAddressed(line.channel) &&
      !done.has(personOf(line)) &&
      (line.reason_code === null || !isExclusion(line.reason_code)),
  );
  const contacts = [...new Set(missed.flatMap(({ contact_id: id }) => id ?? []))];
  const others = missed.filter(({ contact_id: id, recipient }) => id === null && isReachable(recipient));
  const recipients = [...new Map(others.map((line) => [recipientKey(line.recipient), namedLine(line)])).values()];
  if (contacts.length > audienceLimits.contacts || recipients.length > limits.recipients) return null;
  return { ...(contacts.length > 0 && { audience: { contacts } }), ...(recipients.length > 0 && { recipients }) };
}

const personOf = ({ contact_id: id, recipient }: Line) => id ?? recipientKey(recipient);

const isReachable = (recipient: string) => ['email', 'phone'].includes(parseRecipient(recipient).kind);

const namedLine = ({ recipient, recipient_name: name }: Line) =>
  name === null || /[<>"]/.test(name) ? recipient : `${name} <${recipient}>`;
