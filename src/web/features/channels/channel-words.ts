import type { Channel, ChannelTypeForm } from '#contract/channels.ts';

/** A one-line summary of a channel's destination; empty when its configuration has nothing to show. */
export function destinationOf({ type, configuration }: Pick<Channel, 'type' | 'configuration'>): string {
  const text = (field: string) => {
    const value = configuration[field];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  switch (type) {
    case 'email':
      return joined([text('from_email') || text('username'), `${text('smtp_host')}:${text('smtp_port')}`]);
    case 'sms':
      return text('from_number');
    case 'whatsapp':
      return joined([text('base_url'), text('session_name') || text('phone_number_id')]);
    case 'webhook':
      return joined([text('method') || 'POST', text('url')], ' ');
    case 'slack':
      return text('channel');
    default:
      return type satisfies never;
  }
}

const joined = (parts: readonly string[], by = ' · ') => parts.filter((part) => part !== '').join(by);

/** The name of the channel's provider, for types with several providers. */
export function providerTitle(
  { type, configuration }: Pick<Channel, 'type' | 'configuration'>,
  types: readonly ChannelTypeForm[] | undefined,
): string | null {
  const form = types?.find((known) => known.type === type);
  if (!form?.provider_field) return null;
  const named = configuration[form.provider_field];
  return form.providers.find(({ provider }) => provider === named)?.title ?? null;
}

/** Unverified WhatsApp channels over WAHA can be verified without a message. */
export const canVerifyWaha = ({ type, configuration, is_verified }: Channel) =>
  type === 'whatsapp' && configuration.provider === 'waha' && !is_verified;
