import type { ChannelField } from '#contract/channels.ts';

export const signingKeyField: ChannelField = {
  name: 'signing_key',
  label: 'Signing Key',
  kind: 'password',
  required: false,
  help: 'Of the developer settings; MessageBird then reports deliveries and STOP replies. Without it none is believed',
};
