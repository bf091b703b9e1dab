import { type RawBuilder, sql } from 'kysely';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Db } from '#platform/database.ts';

/** The messages that were due in [from, to). */
type Window = { workspaceId: string; from: string; to: string };

/** Found by their jobs, which are indexed by workspace and time: the ledger is not. Tests are left out. */
const within = ({ workspaceId, from, to }: Window): RawBuilder<unknown> => sql`
  from jobs j
  join deliveries d on d.job_id = j.id and d.scheduled_for = j.scheduled_for
 where j.workspace_id = ${workspaceId} and j.scheduled_for >= ${from} and j.scheduled_for < ${to} and j.type <> 'test_reminder'
   and d.workspace_id = ${workspaceId} and d.scheduled_for >= ${from} and d.scheduled_for < ${to}`;

export type Latency = { median: number; p95: number; p99: number };

/** Seconds from when a message was due until it was accepted. A delivery receipt comes later: the history says when it was accepted. */
export async function measureLatency(db: Db, window: Window): Promise<Latency | null> {
  const { rows } = await sql<{ found: number[] | null }>`
    select percentile_cont(array[0.5, 0.95, 0.99]) within group (order by extract(epoch from
             coalesce(
               case when d.status = 'delivered' and d.attempt_history is not null then
                 (select (h ->> 'answered')::timestamptz from jsonb_array_elements(d.attempt_history) h where h ->> 'status' = 'accepted' limit 1)
               end, d.completed_at) - d.scheduled_for)::float8) as found
      ${within(window)} and d.status in ('accepted', 'delivered') and d.completed_at is not null`.execute(db);
  const [median, p95, p99] = rows[0]?.found ?? [];
  return median === undefined || p95 === undefined || p99 === undefined ? null : { median, p95, p99 };
}

export async function countReasons(
  db: Db,
  { limit, ...window }: Window & { limit: number },
): Promise<{ channel: ChannelType; reason: string; count: number }[]> {
  const { rows } = await sql<{ channel: ChannelType; reason: string; count: number }>`
    select d.channel, coalesce(nullif(left(d.reason, 300), ''), 'No reason was given') as reason, count(*)::int as count
      ${within(window)} and d.status in ('failed', 'unknown')
     group by 1, 2
     order by 3 desc, 1, 2
     limit ${limit}`.execute(db);
  return rows;
}

type Unreached = {
  channel: ChannelType;
  recipient: string;
  name: string | null;
  contact_id: string | null;
  missed: number;
  last_due: string;
  reason: string | null;
};

/** Recipients of a channel to whom messages were due and none was sent; what still waits does not count as missed. */
export async function findUnreached(db: Db, { limit, ...window }: Window & { limit: number }): Promise<Unreached[]> {
  const { rows } = await sql<Unreached>`
    with unreached as materialized (
      select d.channel, d.recipient, count(*)::int as missed, max(d.scheduled_for) as last_due
        ${within(window)}
       group by d.channel, d.recipient
      having bool_and(d.status in ('failed', 'unknown', 'skipped'))
       order by missed desc, last_due desc, d.recipient
       limit ${limit}
    )
    select u.channel, u.recipient, last.recipient_name as name, last.contact_id, u.missed, u.last_due, left(last.reason, 300) as reason
      from unreached u
     cross join lateral (
       select d.recipient_name, d.contact_id, d.reason
         from jobs j
         join deliveries d on d.job_id = j.id and d.scheduled_for = j.scheduled_for
        where j.workspace_id = ${window.workspaceId} and j.scheduled_for = u.last_due and j.type <> 'test_reminder'
          and d.scheduled_for = u.last_due and d.channel = u.channel and d.recipient = u.recipient
        order by d.id desc
        limit 1) last
     order by u.missed desc, u.last_due desc, u.recipient`.execute(db);
  return rows;
}
