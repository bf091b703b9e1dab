import { z } from 'zod';
import { Id, IdParams, InstantText, Page, PageQuery, Text } from '#contract/common.ts';
import { route } from '#contract/route.ts';

/** A message that the sandbox received in place of the outside world. */
export const InboxMessage = z.object({
  id: Id,
  channel: z.enum(['email', 'webhook']),
  sender: z.string(),
  recipient: z.string(),
  subject: z.string(),
  text: z.string(),
  has_html: z.boolean(),
  headers: z.record(z.string(), z.string()),
  raw_size: z.number().int(),
  received_at: InstantText,
});
export type InboxMessage = z.output<typeof InboxMessage>;

export const inboxRoutes = {
  listInbox: route({
    method: 'get',
    path: '/api/inbox',
    access: 'member',
    summary: 'What the sandbox received for the workspace, newest first',
    query: PageQuery.extend({
      channel: z.enum(['email', 'webhook', 'all']).default('all'),
      search: Text(200).optional(),
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
    answer: z.object({ webhook_url: z.string(), smtp_host: z.string(), smtp_port: z.number().int() }),
  }),
};
