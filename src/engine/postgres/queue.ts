import type { Pool, PoolClient } from 'pg';
import type { ClaimDecision } from '#engine/run/claim-decision.ts';
import type { ClaimedJob } from '#engine/run/claimed-job.ts';
import type { LedgerRow } from '#engine/run/live-delivery.ts';
import type { ClaimRequest, EngineStore, Found, WorkspaceFacts } from '#engine/store.ts';
import { decisionStatements } from './decision.ts';
import * as sql from './queue.sql.ts';
import { plainColumn } from './columns.ts';
import { audienceNow, channelsOf, contactsAmong, exclusionsAmong, suppressedAmong, wishesAmong } from './lookups.ts';
import { takeCapacity } from './sent-counts.ts';
import { isDuplicate } from '#platform/is-duplicate.ts';
import { monthOf } from './month.ts';
import { onConnection } from '#platform/transaction.ts';

/** Takes due jobs from the queue. */
export const queueOperations = (pool: Pool): Pick<EngineStore, 'claim' | 'nextDue' | 'awaitingAudience'> => ({
  async claim(request, decide) {
    try {
      return await claimOnce(pool, { request, decide, isRepeated: false });
    } catch (error) {
      // A next occurrence is there already, for instance because the claimed job was paused for a while.
      if (!isDuplicate(error)) throw error;
      return claimOnce(pool, { request, decide, isRepeated: true });
    }
  },

  async nextDue(except) {
    const statement = except.length === 0 ? sql.nextDue : { ...sql.nextDueExcept, values: [except] };
    const { rows } = await pool.query<{ run_at: string | null }>(statement);
    const at = rows[0]?.run_at ?? null;
    return at === null ? null : Temporal.Instant.from(at);
  },

  async awaitingAudience({ now, except, after }) {
    const { rows } = await pool.query<{ workspace_id: string }>({
      ...sql.awaitingAudience,
      values: [now.toString(), except, after],
    });
    return rows[0]?.workspace_id ?? null;
  },
});

function claimOnce(
  pool: Pool,
  {
    request,
    decide,
    isRepeated,
  }: { request: ClaimRequest; decide: Parameters<EngineStore['claim']>[1]; isRepeated: boolean },
): Promise<ClaimDecision | null> {
  return onConnection(pool, async (client) => {
    const [, { rows: jobs }] = await Promise.all([
      client.query('begin'),
      client.query<ClaimedJob>(claimStatement(request)),
    ]);
    if (jobs.length === 0) {
      await client.query('commit');
      return null;
    }
    const whole = await withPayloads(client, await withFreshReminders(client, jobs));
    const claim = await decide(foundBy(client, { jobs: whole, now: request.now }));
    const written = [
      ...decisionStatements(claim, { request, isRepeated }).map((write) => client.query(write)),
      client.query('commit'),
    ];
    // The commit ends a failed transaction too. Until then its locks hide the same jobs from a claim that repeats it.
    await Promise.all(written).catch(async (error: unknown) => {
      await Promise.allSettled(written);
      throw error;
    });
    return claim;
  });
}

function claimStatement({ claimId, now, order, maxJobs, except }: ClaimRequest) {
  const values = [now.toString(), claimId, maxJobs];
  switch (order.by) {
    case 'due':
      return { ...sql.claimInOrder, values };
    case 'round_robin':
      return { ...sql.claimRoundRobin, values: [...values, except, order.perWorkspace, order.after] };
    case 'audience':
      return { ...sql.claimAudiences, values: [...values, order.workspaceId] };
    default:
      return order satisfies never;
  }
}

type ReminderPart = { id: string } & Pick<
  ClaimedJob,
  'reminder_status' | 'reminder_revision' | 'schedule_config' | 'content' | 'metadata'
>;

async function withFreshReminders(client: PoolClient, jobs: ClaimedJob[]): Promise<ClaimedJob[]> {
  const stale = jobs.filter((job) => job.reminder_revision !== null && job.reminder_revision < job.revision);
  if (stale.length === 0) return jobs;
  const { rows } = await client.query<ReminderPart>({
    ...sql.reminderOf,
    values: [stale.map((job) => job.workspace_id), stale.map((job) => job.reminder_id)],
  });
  const fresh = new Map(rows.map(({ id, ...part }) => [id, part]));
  return jobs.map((job) => (stale.includes(job) ? { ...job, ...fresh.get(job.reminder_id ?? '') } : job));
}

/** Queries payloads only for jobs of events, once per event. */
async function withPayloads(client: PoolClient, jobs: ClaimedJob[]): Promise<ClaimedJob[]> {
  const eventIds = new Set(jobs.flatMap((job) => job.event_id ?? []));
  if (eventIds.size === 0) return jobs;
  const { rows } = await client.query<{ event_id: string; payload: ClaimedJob['payload'] }>({
    ...sql.eventPayloads,
    values: [[...eventIds]],
  });
  const payloads = new Map(rows.map((row) => [row.event_id, row.payload]));
  return jobs.map((job) => ({ ...job, payload: payloads.get(job.event_id ?? '') ?? job.payload }));
}

function foundBy(client: PoolClient, { jobs, now }: { jobs: ClaimedJob[]; now: Temporal.Instant }): Found {
  const workspaceIds = [...new Set(jobs.map((job) => job.workspace_id))];
  return {
    jobs,
    async workspaces(limitedTiers) {
      const month = monthOf(now);
      const [, { rows: facts }, channels] = await Promise.all([
        limitedTiers.length > 0 && client.query({ ...sql.lockUsage, values: [workspaceIds, month, limitedTiers] }),
        client.query<WorkspaceFacts>({
          ...sql.workspaceFacts,
          values: [workspaceIds, month, limitedTiers, now.toString()],
        }),
        channelsOf(client, workspaceIds),
      ]);
      return { facts, channels };
    },
    suppressed: (asked) => suppressedAmong(client, { asked, now }),
    takeCapacity: (asked) => takeCapacity(client, { asked, now }),
    exclusions: (asked) => exclusionsAmong(client, asked),
    wishes: (asked) => wishesAmong(client, asked),
    contacts: (asked) => contactsAmong(client, asked),
    audience: (asked) => audienceNow(client, asked),
    async ledger(again) {
      const { rows } = await client.query<LedgerRow>({
        ...sql.ledgerOf,
        values: [plainColumn(again, (job) => job.id), plainColumn(again, (job) => job.scheduled_for)],
      });
      return rows;
    },
  };
}
