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
  created_by: Id.nullable(),
  created_at: InstantText,
  updated_at: InstantText,
});
export type Channel = z.output<typeof Channel>;

const ChannelFields = z.strictObject({
  name: RequiredText(100, { missing: 'Name required' }),
  type: z.enum(configurableTypes),
  is_active: z.boolean(),
  /** A secret left out of an update keeps its value. */
  configuration: z.record(Text(100), z.unknown()),
});
export const ChannelInput = ChannelFields.extend({ is_active: ChannelFields.shape.is_active.default(true) });
export type ChannelInput = z.output<typeof ChannelInput>;

export const channelRoutes = {
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
};
