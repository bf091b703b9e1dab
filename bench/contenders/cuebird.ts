import { randomUUIDv7 } from 'node:crypto';
import { Client } from 'pg';
import { createDefaultRoutes } from '../../src/delivery/defaults.ts';
import { createSmtpPools } from '../../src/delivery/email/smtp-pools.ts';
import { startEngine } from '../../src/engine/engine.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { createLog } from '../../src/platform/log.ts';
import { migrate } from '../../src/platform/migrate.ts';
import { createEgressGuard } from '../../src/platform/outbound/guard.ts';
import { createOutboundHttp } from '../../src/platform/outbound/http.ts';
import { openPubSub } from '../../src/platform/pubsub.ts';
import { urlForRole } from '../../src/platform/roles.ts';
import { createSecretBox } from '../../src/platform/secrets.ts';
import type { Contender } from '../contender.ts';
import { until } from '../until.ts';
import { channel, content } from '../webhook.ts';

const encryptionKey = Buffer.alloc(32, 3).toString('base64');
const timezone = 'Europe/Berlin';

/** The whole engine as `npm start` runs it: claim, ledger, render, sign, guard, POST, outcome, execution, successor. */
export const contender: Contender = {
  title: 'the whole engine: daily reminders claimed, rendered, sent, ledger, execution and next occurrence recorded',
  async open({ databaseUrl, sinkUrl }) {
    await migrate(databaseUrl, { encryptionKey });
    const owner = new Client({ connectionString: databaseUrl });
    await owner.connect();
    const workspaceId = await createWorkspace(owner);
    const isDone = async (n: number) => {
      const { rows } = await owner.query<{ left: number }>(
        "select count(*)::int as left from jobs where status <> 'completed' and scheduled_for <= now()",
      );
      return n > 0 && rows[0]?.left === 0;
    };
    return {
      prepare: (n) => writeReminders(owner, { workspaceId, sinkUrl, n }),
      async run(n) {
        const house = await openHouse(databaseUrl);
        let recorded = 0;
        const { promise: allRecorded, resolve } = Promise.withResolvers<void>();
        const startedAt = performance.now();
        const engine = await startEngine({
          ...house.deps,
          onRecorded: () => {
            recorded += 1;
            if (recorded === n) resolve();
          },
        });
        await allRecorded;
        await until(() => isDone(n));
        const ms = performance.now() - startedAt;
        await engine.stop(5_000);
        await house.close();
        return ms;
      },
      facts: (total) => facts(owner, total),
      close: () => owner.end(),
    };
  },
};

async function openHouse(databaseUrl: string) {
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
      isAlone: true,
    },
    async close() {
      await http.close();
      smtp.close();
      await pubsub.close();
      await database.close();
    },
  };
}

async function createWorkspace(owner: Client): Promise<string> {
  const workspaceId = randomUUIDv7();
  const channelId = randomUUIDv7();
  const secret = createSecretBox(encryptionKey).seal(channel.secret, { workspaceId, channelId });
  await owner.query("insert into workspaces (id, name, slug) values ($1, 'Bench', 'bench')", [workspaceId]);
  await owner.query(
    `insert into channels (id, workspace_id, name, type, is_verified, sealed_secrets) values ($1, $2, 'Sink', 'webhook', true, $3)`,
    [channelId, workspaceId, { secret }],
  );
  return workspaceId;
}

/** n reminders of every day at this time, and their occurrence of a moment ago, just as saving them would have made it. */
async function writeReminders(
  owner: Client,
  { workspaceId, sinkUrl, n }: { workspaceId: string; sinkUrl: string; n: number },
): Promise<void> {
  const due = Temporal.Now.zonedDateTimeISO(timezone).subtract({ seconds: 1 }).round('second');
  const startDate = due.subtract({ days: 30 }).toPlainDateTime().toString();
  await owner.query(
    `with written as (
       insert into reminders (workspace_id, name, status, schedule_config, content, metadata)
       select $1, 'Rent', 'active', $2, $3, $4 from generate_series(1, $5)
       returning id)
     insert into jobs (workspace_id, reminder_id, name, type, scheduled_for, run_at)
     select $1, id, 'Rent', 'reminder', $6, $6 from written`,
    [
      workspaceId,
      { type: 'scheduled', scheduleType: 'daily', startDate, timezone },
      { ...content, recipients: [sinkUrl] },
      { channels: ['webhook'], priority: 'medium' },
      n,
      due.toInstant().toString(),
    ],
  );
  await owner.query('vacuum (analyze) reminders, jobs, queue, deliveries, job_executions');
  await owner.query('checkpoint');
}

async function facts(owner: Client, total: number) {
  const count = async (what: string, sql: string) => {
    const { rows } = await owner.query<{ found: number }>(`select count(*)::int as found from ${sql}`);
    return { what, expected: total, found: rows[0]?.found ?? 0 };
  };
  return [
    await count('jobs completed', "jobs where status = 'completed'"),
    await count('deliveries accepted', "deliveries where status = 'accepted' and attempts = 1"),
    await count('executions completed', "job_executions where status = 'completed'"),
    await count('next occurrences pending', "jobs where status = 'pending' and scheduled_for > now()"),
  ];
}
