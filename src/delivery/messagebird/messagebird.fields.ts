import type { ChannelField } from '#contract/channels.ts';

export const signingKeyField: ChannelField = {
  name: 'signing_key',
  label: 'Signing Key',
  kind: 'password',
  required: false,
  help: "From the developer settings. Verifies MessageBird's delivery reports and STOP replies; without it they are refused",
};
