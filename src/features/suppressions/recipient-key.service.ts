import type { ChannelType } from '#contract/channel-types.ts';
import { type Dialling, e164, notANumber } from '#delivery/phone.ts';
import { isPhoneChannel, parseRecipient, type PhoneChannel, recipientKey } from '#domain/recipients.ts';
import { diallingOf } from '#features/contacts/dialling.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { Invalid } from '#platform/errors.ts';

/** How the workspace calls numbers without a country code: asked once for all numbers of a request. */
export type Dial = (of: { country: string | null | undefined; channel: PhoneChannel }) => Promise<Dialling>;

export function createDial(ctx: TenantContext): Dial {
  const known = new Map<string, Promise<Dialling>>();
  return (of) => {
    const key = `${of.country ?? ''} ${of.channel}`;
    const asked = known.get(key) ?? diallingOf(ctx, of);
    known.set(key, asked);
    return asked;
  };
}

type Given = { channel: ChannelType; recipient: string; default_country?: string | null | undefined };

/** The key by which the engine compares recipients. Throws Invalid for what the channel does not write to. */
export async function recipientKeyOf(
  { channel, recipient, default_country: country }: Given,
  { dial, path = 'recipient' }: { dial: Dial; path?: string },
): Promise<string> {
  const { kind, address } = parseRecipient(recipient);
  if (isPhoneChannel(channel)) {
    const number = kind === 'phone' ? e164(address, await dial({ country, channel })) : null;
    if (number === null) throw new Invalid([{ path, message: notANumber(recipient.trim()) }]);
    return number;
  }
  if (channel === 'email' && kind !== 'email')
    throw new Invalid([{ path, message: 'is not an email address, such as anna@example.com' }]);
  if (kind === 'other') throw new Invalid([{ path, message: 'is neither a URL, an email address nor a phone number' }]);
  return recipientKey(recipient);
}
