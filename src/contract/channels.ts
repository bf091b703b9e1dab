import { z } from 'zod';
import { Empty, Id, IdParams, InstantText, Page, RequiredText, Text } from '#contract/common.ts';
import { route } from '#contract/route.ts';

/** Types that a workspace can configure; the spec's table names the fields of each. */
export const configurableTypes = ['email', 'sms', 'whatsapp', 'webhook', 'slack'] as const;

export const Channel = z.object({
  id: Id,
  workspace_id: Id,
  name: z.string(),
  type: z.enum(configurableTypes),
  is_active: z.boolean(),
  is_verified: z.boolean(),
  /** Secrets are left out; `secrets_set` says which are there. */
  configuration: z.record(z.string(), z.unknown()),
  secrets_set: z.array(z.string()),
  /** Messages per second, of everybody together; null where it is not limited. */
  rate_limit_per_second: z.number().nullable(),
  /** Where the provider reports what became of a message, and replies; for admins, null where it reports nothing. */
  callback_url: z.string().nullable(),
  created_by: Id.nullable(),
  created_at: InstantText,
  updated_at: InstantText,
});
export type Channel = z.output<typeof Channel>;

export const rateLimits = { least: 0.01, most: 1000 };

const ChannelFields = z.strictObject({
  name: RequiredText(100, { missing: 'Name required' }),
  type: z.enum(configurableTypes),
  is_active: z.boolean(),
  /** A secret left out of an update keeps its value; null removes it. */
  configuration: z.record(Text(100), z.unknown()),
  /** Messages per second; one in a hundred seconds is the least. */
  rate_limit_per_second: z
    .number('must be a number')
    .min(rateLimits.least, `must be at least ${rateLimits.least}`)
    .max(rateLimits.most, `must be at most ${rateLimits.most}`)
    .nullable(),
});
export const ChannelInput = ChannelFields.extend({
  is_active: ChannelFields.shape.is_active.default(true),
  rate_limit_per_second: ChannelFields.shape.rate_limit_per_second.default(null),
});
export type ChannelInput = z.output<typeof ChannelInput>;

/** One input of a channel's configuration. */
export const ChannelField = z.object({
  name: z.string(),
  label: z.string(),
  kind: z.enum(['text', 'password', 'number', 'select', 'textarea', 'json', 'switch']),
  /** Without it the configuration is incomplete. */
  required: z.boolean(),
  placeholder: z.string().optional(),
  help: z.string().optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  /** Shown only where another field holds this value. */
  shown_if: z.object({ field: z.string(), value: z.string() }).optional(),
});
export type ChannelField = z.output<typeof ChannelField>;

/** A type of channel with what its form asks for. */
export const ChannelTypeForm = z.object({
  type: z.enum(configurableTypes),
  /** The field of the configuration that names one of the providers, null where there is just one. */
  provider_field: z.string().nullable(),
  providers: z.array(
    z.object({
      provider: z.string(),
      title: z.string(),
      fields: z.array(
        ChannelField.extend({ /** Never returned: `secrets_set` tells that it is there. */ secret: z.boolean() }),
      ),
      /** It can be asked whether the configuration is good without sending a message. */
      can_verify: z.boolean(),
      /** It reports what became of a message. */
      has_callbacks: z.boolean(),
    }),
  ),
});
export type ChannelTypeForm = z.output<typeof ChannelTypeForm>;

/** What a test says where nothing else is written. */
export const testMessage = 'This is a test message from Cuebird.';

export const ChannelTestBody = z.strictObject({
  /** Who gets it; a webhook is called at its own URL without one. */
  recipient: Text(2_000).optional(),
  message: Text(10_000).optional(),
});

/** What the other side said to a test or a verification. */
export const ChannelCheck = z.object({ success: z.boolean(), message: z.string() });
export type ChannelCheck = z.output<typeof ChannelCheck>;

export const channelRoutes = {
  listChannelTypes: route({
    method: 'get',
    path: '/api/channel-types',
    access: 'member',
    summary: 'The types of channels, their providers and what each asks for',
    answer: Page(ChannelTypeForm),
  }),
  listChannels: route({
    method: 'get',
    path: '/api/channels',
    access: 'member',
    summary: 'The channels of the workspace',
    answer: Page(Channel),
  }),
  createChannel: route({
    method: 'post',
    path: '/api/channels',
    access: 'admin',
    summary: 'Configure a channel',
    body: ChannelInput,
    answer: Channel,
    status: 201,
  }),
  updateChannel: route({
    method: 'patch',
    path: '/api/channels/:id',
    access: 'admin',
    summary: 'Change a channel',
    params: IdParams,
    // Of the fields without defaults: what is left out stays as it is.
    body: ChannelFields.partial(),
    answer: Channel,
  }),
  deleteChannel: route({
    method: 'delete',
    path: '/api/channels/:id',
    access: 'admin',
    summary: 'Delete a channel',
    params: IdParams,
    answer: Empty,
  }),
  testChannel: route({
    method: 'post',
    path: '/api/channels/:id/test',
    access: 'member',
    summary: 'Send a test message; the channel is verified once one is accepted',
    params: IdParams,
    body: ChannelTestBody,
    answer: ChannelCheck,
  }),
  verifyChannel: route({
    method: 'post',
    path: '/api/channels/:id/verify',
    access: 'admin',
    summary: "Ask the channel's provider whether its configuration is good; nobody gets a message",
    params: IdParams,
    answer: ChannelCheck,
  }),
  verifyWahaChannel: route({
    method: 'post',
    path: '/api/channels/:id/verify-waha',
    access: 'admin',
    summary: 'Ask the WAHA server of a WhatsApp channel whether its session works',
    params: IdParams,
    answer: ChannelCheck,
  }),
};
