import { timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';
import type { inboxRoutes } from '#contract/inbox.ts';
import { sandboxChannels } from '#delivery/sandbox-channels.ts';
import { findAccountMail, findHtml, findMessage, findMessages } from '#features/inbox/inbox.db.ts';
import { replyToMessage } from '#features/inbox/inbox.service.ts';
import { findRehearsals, saveRehearsal } from '#features/inbox/rehearsals.db.ts';
import { announce } from '#platform/changes.ts';
import { decodeCursor, pageOf } from '#platform/cursor.ts';
import { NotFound } from '#platform/errors.ts';
import type { HandlersOf } from '#platform/handler.ts';
import type { Sandbox } from '#platform/sandbox/sandbox.ts';
import { strangersHtml } from '#platform/strangers-html.ts';

export type InboxPorts = { sandbox: Sandbox | null; auth: Pool; accountToken: string };

export const inboxHandlers = ({ sandbox, auth, accountToken }: InboxPorts): HandlersOf<typeof inboxRoutes> => {
  const on = () => {
    if (sandbox === null) throw new NotFound('sandbox on this installation');
    return sandbox;
  };
  return {
    async listInbox({ ctx, query }) {
      on();
      const found = await findMessages(ctx.db, {
        ...query,
        workspaceId: ctx.workspaceId,
        after: decodeCursor(query.cursor),
      });
      return pageOf(found, { limit: query.limit, at: (message) => message.received_at });
    },
    async getInboxMessage({ ctx, params }) {
      on();
      const message = await findMessage(ctx.db, { workspaceId: ctx.workspaceId, id: params.id });
      if (message === undefined) throw new NotFound('message');
      return message;
    },
    async getInboxHtml({ ctx, params }) {
      on();
      const message = await findHtml(ctx.db, { workspaceId: ctx.workspaceId, id: params.id });
      if (message?.body_html === null || message?.body_html === undefined) throw new NotFound('HTML part');
      return strangersHtml(message.body_html);
    },
    async listAccountInbox({ query }) {
      on();
      if (!isSame(query.token, accountToken)) throw new NotFound('inbox');
      const found = await findAccountMail(auth, { after: decodeCursor(query.cursor), limit: query.limit });
      return pageOf(found, { limit: query.limit, at: (message) => message.received_at });
    },
    getSandboxAddresses({ ctx }) {
      const known = on();
      return {
        webhook_url: known.webhookUrlFor(ctx.workspaceId),
        smtp_host: known.smtp.host,
        smtp_port: known.smtp.port,
        providers: sandboxChannels(known, ctx.workspaceId),
      };
    },
    replyToInboxMessage: ({ ctx, params, body }) =>
      replyToMessage(ctx, { id: params.id, text: body.text, sandbox: on() }),
    async listRehearsals({ ctx }) {
      on();
      return { data: await findRehearsals(ctx.db, { workspaceId: ctx.workspaceId }), next_cursor: null };
    },
    async setRehearsal({ ctx, body }) {
      on();
      await saveRehearsal(ctx.db, { ...body, workspaceId: ctx.workspaceId });
      await announce(ctx, ['rehearsals']);
      return body;
    },
  };
};

/** In constant time for tokens of the right length, which is no secret. */
function isSame(a: string, b: string): boolean {
  const [given, known] = [Buffer.from(a), Buffer.from(b)];
  return given.length === known.length && timingSafeEqual(given, known);
}
