import { Client } from 'pg';
import { createDefaultRoutes } from '../../src/delivery/defaults.ts';
import { createSmtpPools } from '../../src/delivery/email/smtp-pools.ts';
import { startEngine } from '../../src/engine/engine.ts';
import { usualGatherMs } from '../../src/engine/execution/recorder.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { createLog } from '../../src/platform/log.ts';
import { migrate } from '../../src/platform/migrate.ts';
import { createEgressGuard } from '../../src/platform/outbound/guard.ts';
import { createOutboundHttp } from '../../src/platform/outbound/http-client.ts';
import { openPubSub } from '../../src/platform/pubsub.ts';
import { urlForRole } from '../../src/platform/roles.ts';
import { createSecretBox } from '../../src/platform/secrets.ts';
import type { Contender, Fact } from '../contender.ts';
import { isAllDone } from '../queue.ts';
import { writeDue } from '../seeds/reminders.ts';
import { type ChannelSeed, createWorkspace, encryptionKey } from '../seeds/workspace.ts';
import { until } from '../until.ts';

type Setup = {
  title: string;
  channel: (sinkUrl: string) => ChannelSeed;
  /** Writes due reminders for n messages. */
  write: (
    owner: Client,
    of: { workspaceId: string; channel: ChannelSeed; sinkUrl: string; n: number },
  ) => Promise<void>;
  /** How many messages one job sends. */
  perJob?: number;
};

/** The engine with one recipient for each reminder. */
export const engineContender = ({
  recipient,
  ...setup
}: Omit<Setup, 'write'> & { recipient: (sinkUrl: string) => string }): Contender =>
  engineWith({
    ...setup,
    write: (owner, { workspaceId, channel, sinkUrl, n }) =>
      writeDue(owner, { workspaceId, channel: channel.type, recipient: recipient(sinkUrl), n }),
  });

/** The complete engine, configured as in `npm start`, with one workspace that sends over this channel. */
export function engineWith({ perJob = 1, ...options }: Setup): Contender {
  return {
    title: options.title,
    async open({ databaseUrl, sinkUrl }) {
      await migrate(databaseUrl, { encryptionKey });
      const owner = new Client({ connectionString: databaseUrl });
      await owner.connect();
      const channel = options.channel(sinkUrl);
      const workspaceId = await createWorkspace(owner, { slug: 'bench', channel });
      return {
        prepare: (n) => options.write(owner, { workspaceId, channel, sinkUrl, n }),
        run: (n) => deliver(databaseUrl, { owner, n }),
        facts: (total) => factsOf(owner, { workspaceId, total, jobs: total / perJob }),
        close: () => owner.end(),
      };
    },
  };
}

async function deliver(databaseUrl: string, { owner, n }: { owner: Client; n: number }): Promise<number> {
  const context = await openEngineDeps(databaseUrl, { isAlone: true });
  let recorded = 0;
  const { promise: allRecorded, resolve } = Promise.withResolvers<void>();
  const startedAt = performance.now();
  const engine = await startEngine({
    ...context.deps,
    onRecorded: () => {
      recorded += 1;
      if (recorded === n) resolve();
    },
  });
  await allRecorded;
  await until(() => isAllDone(owner));
  const ms = performance.now() - startedAt;
  await engine.stop(5_000);
  await context.close();
  return ms;
}

/** What the engine gets in `npm start`. @param isAlone false when other processes run it on the same database */
export async function openEngineDeps(databaseUrl: string, { isAlone }: { isAlone: boolean }) {
  const log = createLog('warn');
  const database = openDatabase(databaseUrl, { encryptionKey });
  const pubsub = await openPubSub(urlForRole(databaseUrl, { role: 'engine', encryptionKey }), log);
  const guard = createEgressGuard({ allow: ['127.0.0.0/8'], exact: () => [] });
  const http = createOutboundHttp({ guard });
  const smtp = createSmtpPools({ guard });
  return {
    deps: {
      pool: database.engine,
      pubsub,
      secrets: createSecretBox(encryptionKey),
      defaults: createDefaultRoutes({ sandbox: null, mailServer: null }),
      network: { http, smtp, now: systemClock.now },
      clock: systemClock,
      random: Math.random,
      log,
      isAlone,
      gatherMs: usualGatherMs,
    },
    async close() {
      await http.close();
      smtp.close();
      await pubsub.close();
      await database.close();
    },
  };
}

export async function factsOf(
  owner: Client,
  { workspaceId, total, jobs }: { workspaceId: string; total: number; jobs: number },
): Promise<Fact[]> {
  const count = async (what: string, sql: string, expected = jobs) => {
    const text = `select count(*)::int as found from ${sql} and workspace_id = $1`;
    const { rows } = await owner.query<{ found: number }>(text, [workspaceId]);
    return { what, expected, found: rows[0]?.found ?? 0 };
  };
  return [
    await count('jobs completed', "jobs where status = 'completed'"),
    await count('deliveries accepted', "deliveries where status = 'accepted' and attempts = 1", total),
    await count('executions completed', "executions where status = 'completed'"),
    await count('next occurrences pending', "jobs where status = 'pending' and scheduled_for > now()"),
  ];
}
