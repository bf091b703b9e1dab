import { emailKey } from '#contract/email-address.ts';
import type { PreferableChannel } from '#contract/contacts.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { phoneKey } from '#delivery/phone.ts';
import { isPhoneChannel, parseRecipient } from '#domain/recipients.ts';
import type { Contact } from '#domain/variables.ts';
import { international } from '#engine/run/phone-numbers.ts';
import type { Routes } from '#engine/run/routes.ts';

/** `timezone` is an IANA name, null when unknown. */
export type KnownContact = Contact & {
  id: string;
  timezone: string | null;
  preferred_channel: PreferableChannel | null;
};

/** The key of a contact in maps of several workspaces; `key` is its `contactKey`. */
export const keyInWorkspace = (workspaceId: string, key: string) => `${workspaceId} ${key}`;

/** The `contactKey` of a recipient, with a number in E.164 as the delivery's channel dials it. */
export function routedContactKey(
  { channel, recipient }: { channel: ChannelType; recipient: string },
  routes: (type: ChannelType) => Routes,
): string | null {
  const { kind, address } = parseRecipient(recipient);
  if (kind === 'email') return emailKey(address);
  if (kind !== 'phone') return null;
  return isPhoneChannel(channel) ? international(routes(channel), address) : phoneKey(address);
}
