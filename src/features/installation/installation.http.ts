import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { installationRoutes } from '#contract/installation.ts';
import type { Auth } from '#features/auth/auth.ts';
import { claimAdministration } from '#features/auth/claim.service.ts';
import { isDemoToken } from '#features/auth/demo-link.ts';
import { streamChanges } from '#features/realtime/changes-stream.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { Forbidden, NotFound, Unavailable } from '#platform/errors.ts';
import type { HandlersOf } from '#platform/handler.ts';
import type { PubSub } from '#platform/pubsub.ts';
import type { Schema } from '#platform/schema.ts';

export type InstallationPorts = {
  config: Config;
  database: Database;
  auth: Auth;
  pubsub: PubSub;
  version: string;
  demo: { userId: string; secret: string } | null;
  openApi: () => Record<string, unknown> & { openapi: string };
  /** Ends every open stream when the server stops. */
  closing: AbortSignal;
};

export const installationHandlers = (ports: InstallationPorts): HandlersOf<typeof installationRoutes> => ({
  getConfig: () => ({
    google: ports.config.GOOGLE_CLIENT_ID !== undefined,
    sandbox: ports.config.sandbox,
    email_verification: ports.config.emailVerification,
    demo: ports.demo !== null,
    version: ports.version,
  }),
  getHealth: () => ({ status: 'ok' }),
  async getReady() {
    await assertAnswering(ports.database.app);
    return { status: 'ready' };
  },
  async enterDemo({ query, request }) {
    if (ports.demo === null || !isDemoToken(query.token, ports.demo.secret)) throw new NotFound('demo');
    const cookies = await ports.auth.issueSession(ports.demo.userId, request);
    const headers = new Headers({ location: '/reminders' });
    for (const cookie of cookies) headers.append('set-cookie', cookie);
    return new Response(null, { status: 302, headers });
  },
  async claimAdministration({ ctx, body, request }) {
    const result = await claimAdministration(ports.database.auth, {
      userId: ctx.actor.userId,
      token: body.token,
      now: ctx.now,
    });
    if (result === 'refused')
      throw new Forbidden('This link was used already, or is not from the newest start of the server');
    ports.auth.forget(request.headers);
    return { claimed: true };
  },
  openStream: ({ ctx, request }) =>
    streamChanges(ports.pubsub, {
      workspaceId: ctx.workspaceId,
      signal: AbortSignal.any([request.signal, ports.closing]),
    }),
  getOpenApi: () => ports.openApi(),
});

async function assertAnswering(db: Kysely<Schema>): Promise<void> {
  try {
    await sql`select 1`.execute(db);
  } catch {
    throw new Unavailable('The database does not answer');
  }
}
