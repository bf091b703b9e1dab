import type { ChannelField } from '#contract/channels.ts';
import { baseUrlField, defaultCountryField } from '#delivery/provider.config.ts';

type Named = { label?: string; placeholder?: string; help?: string };

/** The spec's fields of a WhatsApp channel, with the provider's names for them. */
export const whatsAppFields = (
  usualBaseUrl: string,
  { api_key, phone_number_id }: { api_key: Named; phone_number_id: Named },
  more: readonly ChannelField[] = [],
): readonly ChannelField[] => [
  { name: 'api_key', label: 'API Key', kind: 'password', required: true, ...api_key },
  { name: 'phone_number_id', label: 'Phone Number ID', kind: 'text', required: false, ...phone_number_id },
  ...more,
  defaultCountryField,
  baseUrlField(usualBaseUrl),
];
