import { z } from 'zod';
import { Id, InstantText, Page, PageQuery, RequiredText, Text } from '#contract/common.ts';
import { SimulatedFailure } from '#contract/simulated-failures.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { get, post, put } from '#contract/route.ts';

/** The delivery report that the sandbox, as the provider, sent to Cuebird for an accepted message. */
export const InboxReport = z.object({
  status: z.enum(['sent', 'delivered', 'failed']),
  /** Cuebird's answer, such as `HTTP 204`, or why there was none. */
  answer: z.string(),
});
export type InboxReport = z.output<typeof InboxReport>;

/** A message that the sandbox received instead of a real provider. */
export const InboxMessage = z.object({
  id: Id,
  channel: z.enum(channelTypes),
  /** The provider that the sandbox simulated, such as `twilio`; null for mail and webhook calls. */
  provider: z.string().nullable(),
  sender: z.string(),
  recipient: z.string(),
  subject: z.string(),
  text: z.string(),
  has_html: z.boolean(),
  headers: z.record(z.string(), z.string()),
  /** The whole request body, where `text` is only a part of it. */
  raw: z.string().nullable(),
  /** The number of SMS segments. */
  segments: z.number().int().nullable(),
  /** The message that this one replies to; replies are written on the Inbox page as the recipient. */
  reply_to: Id.nullable(),
  /** Whether the recipient can reply: the provider has a URL for replies. */
  can_reply: z.boolean(),
  report: InboxReport.nullable(),
  raw_size: z.number().int(),
  received_at: InstantText,
});
export type InboxMessage = z.output<typeof InboxMessage>;

/** A provider that the sandbox simulates, with the configuration of a channel that uses it. */
export const SandboxProvider = z.object({
  channel: z.enum(channelTypes),
  provider: z.string(),
  configuration: z.record(z.string(), z.string()),
});
export type SandboxProvider = z.output<typeof SandboxProvider>;

export const inboxRoutes = {
  listInbox: get('/api/inbox', {
    access: 'member',
    summary: 'List the messages that the sandbox received for the workspace, newest first',
    query: PageQuery.extend({
      channel: z.enum([...channelTypes, 'all']).default('all'),
      search: Text(200).optional(),
      /** Returns only the replies to this message. */
      reply_to: Id.optional(),
    }),
    answer: Page(InboxMessage),
  }),
  getInboxMessage: get('/api/inbox/:id', {
    access: 'member',
    summary: 'Get a message of the sandbox',
    answer: InboxMessage,
  }),
  getInboxHtml: get('/api/inbox/:id/html', {
    access: 'member',
    summary: 'The HTML part of a mail, for a sandboxed frame',
    query: z.strictObject({ workspace: Id }),
    answer: 'file',
  }),
  replyToInboxMessage: post('/api/inbox/:id/replies', {
    access: 'member',
    summary: 'Reply to a message as its recipient; the sandbox delivers the reply to Cuebird as the provider would',
    body: z.strictObject({ text: RequiredText(1_600, { missing: 'Text is required' }) }),
    answer: InboxMessage,
    status: 201,
  }),
  listAccountInbox: get('/api/inbox/account', {
    access: 'public',
    summary: 'Account mail (verification, reset) that the sandbox received; needs the token that the terminal printed',
    query: PageQuery.extend({ token: Text(200) }),
    answer: Page(InboxMessage),
  }),
  getSandboxAddresses: get('/api/inbox/addresses', {
    access: 'member',
    summary: 'The addresses at which the sandbox receives messages for this workspace',
    answer: z.object({
      webhook_url: z.string(),
      smtp_host: z.string(),
      smtp_port: z.number().int(),
      providers: z.array(SandboxProvider),
    }),
  }),
  listSimulatedFailures: get('/api/inbox/simulated-failures', {
    access: 'member',
    summary: 'List the simulated failures of the workspace',
    answer: Page(SimulatedFailure),
  }),
  setSimulatedFailure: put('/api/inbox/simulated-failures', {
    access: 'admin',
    summary: 'Set or end the simulated failure of a channel',
    body: SimulatedFailure.extend({ times: SimulatedFailure.shape.times.default(null) }),
    answer: SimulatedFailure,
  }),
};
