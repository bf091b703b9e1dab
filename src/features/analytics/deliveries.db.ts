import { sql } from 'kysely';
import type { DeliveryAnalytics } from '#contract/analytics.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Db } from '#platform/database.ts';

type Asked = {
  workspaceId: string;
  /** The instants at which each day begins, and the end of the last. */
  begins: readonly string[];
  most: { reasons: number; unreached: number };
};

type Found = Pick<DeliveryAnalytics, 'reasons' | 'unreached'> & {
  /** `day` is the number of the day in the range, from 1. */
  days: { day: number; channel: ChannelType; sent: number; failed: number }[];
  /** In seconds: the median, the 95th and the 99th percentile. */
  latency: [number, number, number] | null;
};

/**
 * What became of the messages that were due on these days; tests are left out. The ledger is read once, for all figures, and by its jobs, which
 * are indexed by workspace and time: the ledger is not.
 *
 * Latency is from when a message was due until it was accepted. A delivery receipt comes later: the history says when it was accepted. Unreached
 * are recipients of a channel to whom messages were due and none was sent; what still waits does not count as missed.
 */
export async function readDeliveries(db: Db, { workspaceId, begins, most }: Asked): Promise<Found> {
  const [from, to] = [begins[0], begins.at(-1)];
  const { rows } = await sql<Found>`
    with message as materialized (
      select d.channel, d.recipient, d.scheduled_for,
             d.status in ('accepted', 'delivered') as is_sent,
             d.status in ('failed', 'unknown') as is_failed,
             d.status in ('failed', 'unknown', 'skipped') as is_missed,
             case when d.status in ('failed', 'unknown') then coalesce(nullif(left(d.reason, 300), ''), 'No reason was given') end as reason,
             case when d.status in ('accepted', 'delivered') then date_part('epoch',
               coalesce(
                 case when d.status = 'delivered' and d.attempt_history is not null then
                   (select (h ->> 'answered')::timestamptz from jsonb_array_elements(d.attempt_history) h where h ->> 'status' = 'accepted' limit 1)
                 end, d.completed_at) - d.scheduled_for) end as seconds
        from jobs j
        join deliveries d on d.job_id = j.id and d.scheduled_for = j.scheduled_for
       where j.workspace_id = ${workspaceId} and j.scheduled_for >= ${from} and j.scheduled_for < ${to} and j.type <> 'test_reminder'
         and d.workspace_id = ${workspaceId} and d.scheduled_for >= ${from} and d.scheduled_for < ${to}
    ), day as (
      select width_bucket(scheduled_for, ${begins}::timestamptz[]) as day, channel,
             count(*) filter (where is_sent) as sent, count(*) filter (where is_failed) as failed
        from message
       where is_sent or is_failed
       group by 1, 2
    ), reason as (
      select channel, reason, count(*) as count
        from message
       where is_failed
       group by 1, 2
       order by 3 desc, 1, 2
       limit ${most.reasons}
    ), missed as (
      select channel, recipient, count(*) as missed, max(scheduled_for) as last_due
        from message
       where is_missed
       group by 1, 2
    ), unreached as (
      select m.channel, m.recipient, m.missed, m.last_due
        from missed m
       where not exists (select from message o where o.channel = m.channel and o.recipient = m.recipient and not o.is_missed)
       order by 3 desc, 4 desc, 2
       limit ${most.unreached}
    ), named as (
      select u.channel, u.recipient, last.recipient_name as name, last.contact_id, u.missed, u.last_due, left(last.reason, 300) as reason
        from unreached u
       cross join lateral (
         select d.recipient_name, d.contact_id, d.reason
           from jobs j
           join deliveries d on d.job_id = j.id and d.scheduled_for = j.scheduled_for
          where j.workspace_id = ${workspaceId} and j.scheduled_for = u.last_due and j.type <> 'test_reminder'
            and d.scheduled_for = u.last_due and d.channel = u.channel and d.recipient = u.recipient
          order by d.id desc
          limit 1) last
    )
    select coalesce((select jsonb_agg(to_jsonb(d)) from day d), '[]') as days,
           (select percentile_cont(array[0.5, 0.95, 0.99]) within group (order by seconds) from message where seconds is not null) as latency,
           coalesce((select jsonb_agg(to_jsonb(r) order by r.count desc, r.channel, r.reason) from reason r), '[]') as reasons,
           coalesce((select jsonb_agg(to_jsonb(n) || jsonb_build_object('last_due', to_char(n.last_due at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
                                      order by n.missed desc, n.last_due desc, n.recipient) from named n), '[]') as unreached`.execute(
    db,
  );
  const [found] = rows;
  if (found === undefined) throw new Error('a select of figures answered no row');
  return found;
}
