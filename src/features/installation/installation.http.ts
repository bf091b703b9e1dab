import { sql } from 'kysely';
import type { HoldNotice } from '#contract/hold.ts';
import type { installationRoutes } from '#contract/installation.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { Unavailable } from '#platform/errors.ts';
import type { HandlersOf } from '#platform/handler.ts';

export type InstallationPorts = {
  config: Config;
  database: Database;
  version: string;
  hasDemo: boolean;
  /** Aborts, with the reason for a person, when a newer version has taken the database over. */
  superseded: AbortSignal;
  /** Why nothing goes out; null when deliveries go out. */
  holdNotice: () => Promise<HoldNotice | null>;
  openApi: () => Record<string, unknown> & { openapi: string };
};

export const installationHandlers = (ports: InstallationPorts): HandlersOf<typeof installationRoutes> => ({
  getConfig: () => ({
    google: ports.config.GOOGLE_CLIENT_ID !== undefined,
    sandbox: ports.config.sandbox,
    email_verification: ports.config.emailVerification,
    demo: ports.hasDemo,
    version: ports.version,
  }),
  getHealth: () => ({ status: 'ok' }),
  async getReady() {
    await assertAnswering(ports.database);
    if (ports.superseded.aborted) throw new Unavailable(String(ports.superseded.reason));
    // People are served all the same, and have to come in to release it.
    const notice = await ports.holdNotice();
    return notice === null ? { status: 'ready' } : { status: 'held', ...notice };
  },
  getOpenApi: () => ports.openApi(),
});

async function assertAnswering({ app }: Database): Promise<void> {
  try {
    await sql`select 1`.execute(app);
  } catch {
    throw new Unavailable('The database does not answer');
  }
}
