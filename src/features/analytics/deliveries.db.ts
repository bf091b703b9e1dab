import { sql } from 'kysely';
import type { DeliveryAnalytics } from '#contract/analytics.ts';
import { countedBy, type CountedDay, daysOf } from '#features/dashboard/totals.service.ts';
import type { Db } from '#platform/database.ts';

type Asked = {
  workspaceId: string;
  /** The instants at which each day begins, and the end of the last. */
  begins: readonly string[];
  most: { reasons: number; unreached: number; candidates: number };
};

type Found = Pick<DeliveryAnalytics, 'people' | 'reasons' | 'unreached'> & {
  days: CountedDay[];
  /** How long it took until messages were accepted, ascending, and how many took so long. */
  latencies: { ms: number; count: number }[];
  /** Whether more people missed messages than were looked at. */
  has_more: boolean;
};

/**
 * What became of the messages that were due on these days; tests are left out. Read from totals of quarters of an hour where there are some, and for
 * the rest from the ledger, once, by its jobs, which are indexed by workspace and time: the ledger is not.
 *
 * Unreached are people to whom messages were due and none was sent; what still waits does not count as missed. Of those who missed most, a number of
 * candidates is looked up in the ledger, until enough are found.
 */
export async function readDeliveries(db: Db, { workspaceId, begins, most }: Asked): Promise<Found> {
  const counted = await countedBy(db, { workspaceId, begins });
  const { areTotalled, until } = counted;
  const [from] = begins;
  const { rows } = await sql<Found>`
    with message as materialized (
      ${counted.untotalled}
    ), day as (
      ${daysOf({ begins }, { areTotalled, untotalled: sql`message` })}
    ), lasted as (
      select ms, sum(count)::int as count
        from (select l.ms, l.count from totals_channels cross join lateral unnest(latency_ms, latency_counts) l (ms, count) where ${areTotalled}
               union all
              select latency_ms, count(*) from message where latency_ms is not null group by 1) l
       group by 1
    ), run as (
      select bool_or(outcome = 'sent') as is_reached, bool_or(outcome = 'open') as is_open
        from message
       group by job_id, contact_id, address_channel, address
    ), people as (
      select coalesce(sum(reached), 0)::int as reached, coalesce(sum(missed), 0)::int as missed
        from (select reached, missed from totals_people where ${areTotalled}
               union all
              select count(*) filter (where is_reached), count(*) filter (where not is_reached and not is_open) from run) p
    ), reason as (
      select channel, reason, sum(failed)::int as count
        from (select channel, reason, failed from totals_reasons where ${areTotalled}
               union all
              select channel, reason, count(*) from message where outcome = 'failed' group by 1, 2) r
       group by 1, 2
       order by 3 desc, 1, 2
       limit ${most.reasons}
    ), person as (
      select contact_id, channel, recipient, sum(missed)::int as missed, max(last_due) as last_due
        from (select contact_id, channel, recipient, missed, others, last_due from totals_misses where ${areTotalled}
               union all
              select contact_id, address_channel, address, count(*) filter (where outcome in ('failed', 'skipped')),
                     count(*) filter (where outcome in ('sent', 'open')), max(scheduled_for) filter (where outcome in ('failed', 'skipped'))
                from message
               group by 1, 2, 3) p
       group by 1, 2, 3
      having sum(missed) > 0 and sum(others) = 0
    ), candidate as materialized (
      select * from person order by missed desc, last_due desc, contact_id, recipient, channel limit ${most.candidates}
    ), unreached as materialized (
      -- In the order of the candidates, so that no more are looked up than are shown. What is counted from the ledger says itself who got some.
      select * from candidate c
       where is_unindexed_address(channel, recipient)
          or ${until}::timestamptz <= ${from}::timestamptz
          or not has_other_message(contact_id, channel, recipient, ${from}::timestamptz, ${until}::timestamptz)
       limit ${most.unreached}
    ), named as (
      select last.channel, last.recipient, last.name, u.contact_id, u.missed, u.last_due, left(last.reason, 300) as reason
        from unreached u
       cross join lateral missed_message(u.contact_id, u.channel, u.recipient, u.last_due) last
    )
    select coalesce((select jsonb_agg(to_jsonb(d)) from day d), '[]') as days,
           coalesce((select jsonb_agg(to_jsonb(l) order by l.ms) from lasted l), '[]') as latencies,
           (select to_jsonb(p) from people p) as people,
           coalesce((select jsonb_agg(to_jsonb(r) order by r.count desc, r.channel, r.reason) from reason r), '[]') as reasons,
           coalesce((select jsonb_agg(to_jsonb(n) || jsonb_build_object('last_due', to_char(n.last_due at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
                                      order by n.missed desc, n.last_due desc, n.recipient) from named n), '[]') as unreached,
           (select count(*) from unreached) < ${most.unreached} and (select count(*) from candidate) = ${most.candidates} as has_more`.execute(
    db,
  );
  const [found] = rows;
  if (found === undefined) throw new Error('a select of figures answered no row');
  return found;
}
