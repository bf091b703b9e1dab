import { z } from 'zod';
import { Id, IdParams, InstantText, Page, PageQuery, RequiredText, Text } from '#contract/common.ts';
import { Rehearsal } from '#contract/rehearsals.ts';
import { channelTypes } from '#contract/reminders.ts';
import { route } from '#contract/route.ts';

/** What the sandbox, as the provider, told Cuebird about a message it had accepted. */
export const InboxReport = z.object({
  status: z.enum(['sent', 'delivered', 'failed']),
  /** What Cuebird answered: `HTTP 204`, or why nothing came. */
  answer: z.string(),
});
export type InboxReport = z.output<typeof InboxReport>;

/** A message that the sandbox received in place of the outside world. */
export const InboxMessage = z.object({
  id: Id,
  channel: z.enum(channelTypes),
  /** Whose part the sandbox played, such as `twilio`; null for mail and webhook calls. */
  provider: z.string().nullable(),
  sender: z.string(),
  recipient: z.string(),
  subject: z.string(),
  text: z.string(),
  has_html: z.boolean(),
  headers: z.record(z.string(), z.string()),
  /** The body of the request as it came, where the text is only a part of it. */
  raw: z.string().nullable(),
  /** How many SMS it takes. */
  segments: z.number().int().nullable(),
  /** The message that this one answers: it was written on this page, as its recipient. */
  reply_to: Id.nullable(),
  /** Whether the recipient can answer: the provider was told where answers go. */
  can_reply: z.boolean(),
  report: InboxReport.nullable(),
  raw_size: z.number().int(),
  received_at: InstantText,
});
export type InboxMessage = z.output<typeof InboxMessage>;

/** A provider that the sandbox plays, with the configuration of a channel that sends there. */
export const SandboxProvider = z.object({
  channel: z.enum(channelTypes),
  provider: z.string(),
  configuration: z.record(z.string(), z.string()),
});
export type SandboxProvider = z.output<typeof SandboxProvider>;

export const inboxRoutes = {
  listInbox: route({
    method: 'get',
    path: '/api/inbox',
    access: 'member',
    summary: 'What the sandbox received for the workspace, newest first',
    query: PageQuery.extend({
      channel: z.enum([...channelTypes, 'all']).default('all'),
      search: Text(200).optional(),
      /** Only answers to this message. */
      reply_to: Id.optional(),
    }),
    answer: Page(InboxMessage),
  }),
  getInboxMessage: route({
    method: 'get',
    path: '/api/inbox/:id',
    access: 'member',
    summary: 'One message of the sandbox',
    params: IdParams,
    answer: InboxMessage,
  }),
  getInboxHtml: route({
    method: 'get',
    path: '/api/inbox/:id/html',
    access: 'member',
    summary: 'The HTML part of a mail, for a sandboxed frame',
    params: IdParams,
    query: z.strictObject({ workspace: Id }),
    answer: 'file',
  }),
  replyToInboxMessage: route({
    method: 'post',
    path: '/api/inbox/:id/replies',
    access: 'member',
    summary: 'Answer a message as its recipient would; the sandbox hands it to Cuebird as the provider does',
    params: IdParams,
    body: z.strictObject({ text: RequiredText(1_600, { missing: 'Text is required' }) }),
    answer: InboxMessage,
    status: 201,
  }),
  listAccountInbox: route({
    method: 'get',
    path: '/api/inbox/account',
    access: 'public',
    summary: 'Account mail (verification, reset) that the sandbox received; needs the token that the terminal printed',
    query: PageQuery.extend({ token: Text(200) }),
    answer: Page(InboxMessage),
  }),
  getSandboxAddresses: route({
    method: 'get',
    path: '/api/inbox/addresses',
    access: 'member',
    summary: 'Where the sandbox listens for this workspace',
    answer: z.object({
      webhook_url: z.string(),
      smtp_host: z.string(),
      smtp_port: z.number().int(),
      providers: z.array(SandboxProvider),
    }),
  }),
  listRehearsals: route({
    method: 'get',
    path: '/api/inbox/rehearsal',
    access: 'member',
    summary: 'The failures that the sandbox rehearses for the workspace',
    answer: Page(Rehearsal),
  }),
  setRehearsal: route({
    method: 'put',
    path: '/api/inbox/rehearsal',
    access: 'admin',
    summary: 'Let the sandbox fail for one channel, or behave again',
    body: Rehearsal.extend({ times: Rehearsal.shape.times.default(null) }),
    answer: Rehearsal,
  }),
};
