import { type RawBuilder, sql } from 'kysely';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Db } from '#platform/database.ts';

/** The instants at which each day begins, and the end of the last. */
export type Asked = { workspaceId: string; begins: readonly string[] };

/** How the messages of a range are counted: by totals of quarters of an hour, and the rest from the ledger. */
export type Counted = {
  /** Where the totals end, if there are any. What is due later is counted from the ledger, whole. */
  until: string;
  /** The rows of a table of totals that count. */
  areTotalled: RawBuilder<boolean>;
  /** The messages that no total has, as a query with the columns of `counted_messages`. */
  untotalled: RawBuilder<unknown>;
};

const quarterMs = 15 * 60_000;

type Progress = { until: string; changed: string[] };

/**
 * What the totals of a workspace have of a range. A quarter that has changed is counted from the ledger; so are days that begin within a quarter, as
 * they did before 1972.
 */
export async function countedBy(db: Db, { workspaceId, begins }: Asked): Promise<Counted> {
  const [from = '', to = ''] = [begins[0], begins.at(-1)];
  const isWhole = begins.every((begin) => Temporal.Instant.from(begin).epochMilliseconds % quarterMs === 0);
  const found = isWhole ? await findProgress(db, { workspaceId, from, to }) : undefined;
  const { until, changed } = found ?? { until: from, changed: [] };
  const parts = joined(changed.map((quarter) => Temporal.Instant.from(quarter).epochMilliseconds));
  const text = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();
  return {
    until,
    areTotalled: sql<boolean>`workspace_id = ${workspaceId} and quarter >= ${from}::timestamptz and quarter < ${until}::timestamptz
                              and quarter <> all (${changed}::timestamptz[])`,
    untotalled: sql`select * from counted_messages(${workspaceId}, ${until}::timestamptz, ${to}::timestamptz)
                 union all
                select m.*
                  from unnest(${parts.map(([since]) => text(since))}::timestamptz[], ${parts.map(([, end]) => text(end))}::timestamptz[]) part (since, until)
                 cross join lateral counted_messages(${workspaceId}, part.since, part.until) m`,
  };
}

async function findProgress(
  db: Db,
  { workspaceId, from, to }: { workspaceId: string; from: string; to: string },
): Promise<Progress | undefined> {
  const { rows } = await sql<Progress>`
    select to_char(t.until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as until,
           array(select to_char(m.quarter at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
                   from totals_marks m
                  where m.workspace_id = ${workspaceId} and m.quarter >= ${from} and m.quarter < t.until
                  group by m.quarter order by m.quarter) as changed
      from (select greatest(${from}::timestamptz, least(${to}::timestamptz, p.totalled_until)) as until
              from totals_progress p where p.workspace_id = ${workspaceId}) t`.execute(db);
  return rows[0];
}

/** Neighbours as one range. */
function joined(quarters: readonly number[]): [since: number, until: number][] {
  const ranges: [number, number][] = [];
  for (const quarter of quarters) {
    const last = ranges.at(-1);
    if (last?.[1] === quarter) last[1] = quarter + quarterMs;
    else ranges.push([quarter, quarter + quarterMs]);
  }
  return ranges;
}

/** `day` is the number of the day in the range, from 1. */
export type CountedDay = { day: number; channel: ChannelType; sent: number; failed: number };

/** Messages by day and channel. `untotalled` is a query in parentheses, or the name of a CTE in the statement that contains this one. */
export const daysOf = (
  { begins }: Pick<Asked, 'begins'>,
  { areTotalled, untotalled }: Omit<Counted, 'until'>,
) => sql<CountedDay>`
  select day, channel, sum(sent)::int as sent, sum(failed)::int as failed
    from (select width_bucket(quarter, ${begins}::timestamptz[]) as day, channel, sent, failed
            from totals_channels
           where ${areTotalled}
           union all
          select width_bucket(scheduled_for, ${begins}::timestamptz[]), channel, count(*) filter (where outcome = 'sent'),
                 count(*) filter (where outcome = 'failed')
            from ${untotalled} m
           where outcome in ('sent', 'failed')
           group by 1, 2) figures
   group by 1, 2`;
