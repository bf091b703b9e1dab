import { sql } from 'kysely';
import type { DeliveryPauseNotice } from '#contract/delivery-pause.ts';
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
  /** Aborts, with a readable reason, when a newer version has migrated the database. */
  superseded: AbortSignal;
  /** The pause of deliveries; null when deliveries are not paused. */
  deliveryPauseNotice: () => Promise<DeliveryPauseNotice | null>;
  openApi: (request: Request) => Response;
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
    // Requests are served during the pause: an administrator has to sign in to resume delivery.
    const notice = await ports.deliveryPauseNotice();
    return notice === null ? { status: 'ready' } : { status: 'paused', ...notice };
  },
  getOpenApi: ({ request }) => ports.openApi(request),
});

async function assertAnswering({ app }: Database): Promise<void> {
  try {
    await sql`select 1`.execute(app);
  } catch {
    throw new Unavailable('The database does not answer');
  }
}
