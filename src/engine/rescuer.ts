import type { Pool, PoolClient } from 'pg';
import type { ChannelType } from '#contract/reminders.ts';
import { settle } from '#domain/settle.ts';
import * as sql from '#engine/record.sql.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

const sweepMs = 15_000;
const reason = 'The server stopped after the message may have been handed over';

type Orphan = {
  id: string;
  workspace_id: string;
  scheduled_for: string;
  started_at: string;
  attempts: number;
  expires_at: string | null;
};

type Attempt = {
  job_id: string;
  workspace_id: string;
  scheduled_for: string;
  channel: ChannelType;
  recipient: string;
  attempts: number;
  unknowns: number;
};

type Deps = { pool: Pool; clock: Clock; random: () => number; log: Log; onRescued: () => void };

/** Takes up jobs whose worker is gone, every 15 s until the signal aborts. */
export async function runRescuer(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await rescueExpired(deps, { leasedBefore: deps.clock.now() });
    } catch (error) {
      deps.log.warn({ error: String(error) }, 'a rescue sweep failed');
    }
    await deps.clock.sleepUntil(deps.clock.now().add({ milliseconds: sweepMs }), signal);
  }
}

/** When no other worker can be alive, waiting for leases would only delay what is due. */
export const rescueAll = (deps: Deps) =>
  rescueExpired(deps, { leasedBefore: deps.clock.now().add({ hours: 24 * 365 }) });

/**
 * Puts every job whose lease ended before `leasedBefore` back into the queue. An attempt of it without outcome is
 * unknown: it may have arrived, and whether it is sent again is the channel's rule. Returns how many jobs there were.
 */
async function rescueExpired(deps: Deps, { leasedBefore }: { leasedBefore: Temporal.Instant }): Promise<number> {
  for (let total = 0; ; ) {
    const count = await rescueSome(deps, leasedBefore);
    total += count;
    if (count > 0) deps.onRescued();
    if (count === 0) return total;
  }
}

async function rescueSome(deps: Deps, leasedBefore: Temporal.Instant): Promise<number> {
  const now = deps.clock.now();
  const client = await deps.pool.connect();
  let isBroken = true;
  try {
    await client.query('begin');
    const { rows: orphans } = await client.query<Orphan>({
      ...sql.takeOverExpired,
      values: [leasedBefore.toString(), now.toString()],
    });
    if (orphans.length > 0) {
      await settleAttempts(client, { orphans, now, random: deps.random });
      await client.query({ ...sql.postponeToOpenDeliveries, values: [orphans.map((job) => job.id), now.toString()] });
      await recordLostRuns(client, { orphans, now });
      await client.query(sql.tellScreens(orphans.map((job) => job.workspace_id)));
      deps.log.warn({ jobs: orphans.length }, 'took up jobs of a worker that stopped');
    }
    await client.query('commit');
    isBroken = false;
    return orphans.length;
  } finally {
    client.release(isBroken);
  }
}

async function settleAttempts(
  client: PoolClient,
  { orphans, now, random }: { orphans: readonly Orphan[]; now: Temporal.Instant; random: () => number },
) {
  const { rows } = await client.query<Attempt>({
    ...sql.attemptsUnderWay,
    values: [orphans.map((job) => job.id), orphans.map((job) => job.scheduled_for)],
  });
  if (rows.length === 0) return;
  const expiry = new Map(
    orphans.map((job) => [
      job.id,
      Temporal.Instant.from(job.expires_at ?? job.scheduled_for).add({ hours: job.expires_at === null ? 24 : 0 }),
    ]),
  );
  const settled = rows.map((row) =>
    settle(
      { outcome: 'unknown', reason },
      {
        channel: row.channel,
        attempt: row.attempts,
        unknowns: row.unknowns,
        now,
        expiresAt: expiry.get(row.job_id) ?? now,
        random: random(),
      },
    ),
  );
  const empty = rows.map(() => null);
  await client.query({
    ...sql.recordOutcomes,
    values: [
      rows.map((row) => row.job_id),
      rows.map((row) => row.scheduled_for),
      rows.map((row) => row.channel),
      rows.map((row) => row.recipient),
      rows.map((row) => row.attempts),
      settled.map((one) => one.status),
      settled.map((one) => one.reason),
      empty,
      empty,
      empty,
      empty,
      empty,
      settled.map((one) => one.nextAttemptAt?.toString() ?? null),
      now.toString(),
      rows.map(() => 1),
    ],
  });
}

async function recordLostRuns(
  client: PoolClient,
  { orphans, now }: { orphans: readonly Orphan[]; now: Temporal.Instant },
) {
  await client.query({
    ...sql.insertLostRuns,
    values: [
      orphans.map((job) => job.workspace_id),
      orphans.map((job) => job.id),
      orphans.map((job) => job.started_at),
      now.toString(),
      orphans.map((job) => job.attempts),
    ],
  });
}
