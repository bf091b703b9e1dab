import type { Pool } from 'pg';
import type { inboxRoutes } from '#contract/inbox.ts';
import { sandboxChannels } from '#delivery/sandbox-channels.ts';
import {
  getMessage,
  htmlOfMessage,
  listAccountMail,
  listMessages,
  replyToMessage,
} from '#features/inbox/inbox.service.ts';
import { listSimulatedFailures, setSimulatedFailure } from '#features/inbox/simulated-failures.service.ts';
import { NotFound } from '#platform/errors.ts';
import type { HandlersOf } from '#platform/handler.ts';
import { untrustedHtml } from '#platform/untrusted-html.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { isSameSecret } from '#platform/same-secret.ts';

/** `sandbox` is null when the installation has none: every route then answers 404. */
export type InboxPorts = { sandbox: Sandbox | null; auth: Pool; accountTokens: () => readonly string[] };

export const inboxHandlers = ({ sandbox, auth, accountTokens }: InboxPorts): HandlersOf<typeof inboxRoutes> => {
  const requireSandbox = () => {
    if (sandbox === null) throw new NotFound('sandbox on this installation');
    return sandbox;
  };
  return {
    listInbox({ ctx, query }) {
      requireSandbox();
      return listMessages(ctx, query);
    },
    getInboxMessage({ ctx, params }) {
      requireSandbox();
      return getMessage(ctx, params.id);
    },
    async getInboxHtml({ ctx, params }) {
      requireSandbox();
      return untrustedHtml(await htmlOfMessage(ctx, params.id));
    },
    listAccountInbox({ query }) {
      requireSandbox();
      if (!accountTokens().some((token) => isSameSecret(query.token, token))) throw new NotFound('inbox');
      return listAccountMail(auth, query);
    },
    getSandboxAddresses({ ctx }) {
      const { webhookUrlFor, smtp } = requireSandbox();
      return {
        webhook_url: webhookUrlFor(ctx.workspaceId),
        smtp_host: smtp.host,
        smtp_port: smtp.port,
        providers: sandboxChannels(requireSandbox(), ctx.workspaceId),
      };
    },
    replyToInboxMessage: ({ ctx, params, body }) =>
      replyToMessage(ctx, { id: params.id, answer: body.text, sandbox: requireSandbox() }),
    async listSimulatedFailures({ ctx }) {
      requireSandbox();
      return { data: await listSimulatedFailures(ctx), next_cursor: null };
    },
    setSimulatedFailure({ ctx, body }) {
      requireSandbox();
      return setSimulatedFailure(ctx, body);
    },
  };
};

/** Compares in constant time; only the length of a token is revealed. */
