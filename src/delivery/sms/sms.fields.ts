import type { ChannelField } from '#contract/channels.ts';
import { baseUrlField, defaultCountryField } from '#delivery/provider.config.ts';

type Named = { label?: string; placeholder?: string; help?: string };

/** The spec's fields of an SMS channel, with the provider's names for them. */
export const smsFields = (
  usualBaseUrl: string,
  { api_key, api_secret, from_number }: { api_key: Named; api_secret?: Named; from_number: Named },
  more: readonly ChannelField[] = [],
): readonly ChannelField[] => [
  {
    name: 'api_key',
    label: 'API Key',
    kind: api_secret === undefined ? 'password' : 'text',
    required: true,
    ...api_key,
  },
  ...(api_secret === undefined
    ? []
    : [{ name: 'api_secret', label: 'API Secret', kind: 'password' as const, required: false, ...api_secret }]),
  { name: 'from_number', label: 'From Number', kind: 'text', required: false, ...from_number },
  ...more,
  defaultCountryField,
  baseUrlField(usualBaseUrl),
];
