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
      return new Response(linksInNewTabs + message.body_html, { headers: mailHeaders });
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

/** The frame that shows a mail can be left by a new tab only; a document that names its target first is followed. */
const linksInNewTabs = '<!doctype html><base target="_blank">';

/**
 * A stranger's HTML: nothing in it may run, load, submit or read our origin, also when it is opened in a tab of its own. Its
 * links may be followed, in tabs that are free again.
 */
const mailHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
  'x-frame-options': 'SAMEORIGIN',
};

/** In constant time for tokens of the right length, which is no secret. */
function isSame(a: string, b: string): boolean {
  const [given, known] = [Buffer.from(a), Buffer.from(b)];
  return given.length === known.length && timingSafeEqual(given, known);
}
