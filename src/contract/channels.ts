import { z } from 'zod';
import { Empty, Id, InstantText, Page, PageQuery, RequiredName, Text } from '#contract/common.ts';
import { del, get, patch, post } from '#contract/route.ts';

/** Channel types that a workspace can configure; the specification lists the fields of each. */
export const configurableTypes = ['email', 'sms', 'whatsapp', 'webhook', 'slack'] as const;

export const Channel = z.object({
  id: Id,
  workspace_id: Id,
  name: z.string(),
  type: z.enum(configurableTypes),
  is_active: z.boolean(),
  is_verified: z.boolean(),
  /** The configuration without its secrets; `secrets_set` lists which secrets are set. */
  configuration: z.record(z.string(), z.unknown()),
  secrets_set: z.array(z.string()),
  /** Messages per second for all recipients together; null means unlimited. */
  rate_limit_per_second: z.number().nullable(),
  /** The URL for the provider's delivery reports and replies. Visible to admins; null where the provider sends no reports. */
  callback_url: z.string().nullable(),
  created_by: Id.nullable(),
  created_at: InstantText,
  updated_at: InstantText,
});
export type Channel = z.output<typeof Channel>;

export const rateLimits = { least: 0.01, most: 1000 };

const ChannelFields = z.strictObject({
  name: RequiredName(100, { missing: 'Name required' }),
  type: z.enum(configurableTypes),
  is_active: z.boolean(),
  /**
   * An update keeps a secret that it leaves out and removes one that is null. An update that changes where secrets are sent (host,
   * port, TLS, URL, region, trusted origins) is refused unless it contains each of them again.
   */
  configuration: z.record(Text(100), z.unknown()),
  /** Messages per second; the minimum is one message in 100 seconds. */
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

/** One field of a channel's configuration. */
export const ChannelField = z.object({
  name: z.string(),
  label: z.string(),
  kind: z.enum(['text', 'password', 'number', 'select', 'textarea', 'json', 'switch']),
  /** The configuration is incomplete without this field. */
  required: z.boolean(),
  placeholder: z.string().optional(),
  help: z.string().optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  /** The form shows this field only while another field has this value. */
  shown_if: z.object({ field: z.string(), value: z.string() }).optional(),
});
export type ChannelField = z.output<typeof ChannelField>;

/** A channel type with the fields of its form. */
export const ChannelTypeForm = z.object({
  type: z.enum(configurableTypes),
  /** The configuration field that selects the provider; null where the type has only one. */
  provider_field: z.string().nullable(),
  providers: z.array(
    z.object({
      provider: z.string(),
      title: z.string(),
      fields: z.array(
        ChannelField.extend({
          /** The API never returns a secret; `secrets_set` lists those that are set. */
          secret: z.boolean(),
          /** This field determines where secrets are sent: a change requires the secrets again. */
          decides_destination: z.boolean(),
        }),
      ),
      /** The configuration can be verified without sending a message. */
      can_verify: z.boolean(),
      /** The provider reports deliveries and failures. */
      has_callbacks: z.boolean(),
    }),
  ),
});
export type ChannelTypeForm = z.output<typeof ChannelTypeForm>;

/** The text of a test message when the request has none. */
export const testMessage = 'This is a test message from Cuebird.';

export const ChannelTestBody = z.strictObject({
  /** The recipient of the test; a webhook test without one calls the channel's own URL. */
  recipient: Text(2_000).optional(),
  message: Text(10_000).optional(),
});

/** The provider's answer to a test or a verification. */
export const ChannelCheck = z.object({ success: z.boolean(), message: z.string() });
export type ChannelCheck = z.output<typeof ChannelCheck>;

export const channelRoutes = {
  listChannelTypes: get('/api/channel-types', {
    access: 'member',
    summary: 'The channel types, their providers and the form of each',
    answer: Page(ChannelTypeForm),
  }),
  listChannels: get('/api/channels', {
    access: 'member',
    summary: 'List channels, the last changed first',
    query: PageQuery.extend({ limit: PageQuery.shape.limit.default(200) }),
    answer: Page(Channel),
  }),
  createChannel: post('/api/channels', {
    access: 'admin',
    summary: 'Create a channel',
    body: ChannelInput,
    needsReauthentication: true,
    answer: Channel,
    status: 201,
  }),
  updateChannel: patch('/api/channels/:id', {
    access: 'admin',
    summary: 'Change a channel; a new destination requires its secrets again',
    // Fields without defaults: an update keeps what it leaves out.
    body: ChannelFields.partial(),
    // Changing only the name, the rate limit or the switch touches no secret.
    needsReauthentication: (body) => ChannelFields.partial().parse(body).configuration !== undefined,
    answer: Channel,
  }),
  deleteChannel: del('/api/channels/:id', {
    access: 'admin',
    summary: 'Delete a channel',
    answer: Empty,
  }),
  testChannel: post('/api/channels/:id/test', {
    access: 'member',
    beginsMessages: true,
    summary: 'Send a test message; the channel is verified once one is accepted',
    body: ChannelTestBody,
    limit: { usage: 'tests' },
    answer: ChannelCheck,
  }),
  verifyChannel: post('/api/channels/:id/verify', {
    access: 'admin',
    summary: "Verify a channel's configuration with its provider, without sending a message",
    answer: ChannelCheck,
  }),
  verifyWahaChannel: post('/api/channels/:id/verify-waha', {
    access: 'admin',
    summary: 'Verify the WAHA session of a WhatsApp channel',
    answer: ChannelCheck,
  }),
};
