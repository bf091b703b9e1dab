import type { ClientBase, Pool } from 'pg';

type Executor = Pick<ClientBase | Pool, 'query'>;

export type MinuteKind = 'responses' | 'lateness' | 'deliveries' | 'sign_in_failures';

/** The counts of one minute, an ISO instant. */
type MinuteFigures = { minute: string; kind: MinuteKind; counts: number[] };

/** `day` is in UTC, such as `2026-03-02`. */
export type DeliveryDay = { day: string; channel: string; outcome: string; count: number };

/** Adds counts to the minutes' sums of all threads, in a fixed order, so that concurrent writers cannot deadlock. */
export async function addMinutes(db: Executor, added: readonly MinuteFigures[]): Promise<void> {
  if (added.length === 0) return;
  await db.query(
    `insert into minute_figures as known (minute, kind, counts)
     select minute, kind, counts
       from (select (a ->> 'minute')::timestamptz as minute, a ->> 'kind' as kind,
                    array(select c::bigint from jsonb_array_elements_text(a -> 'counts') with ordinality as e (c, at) order by at) as counts
               from jsonb_array_elements($1::jsonb) a) given
      order by minute, kind
     on conflict (minute, kind) do update set
            counts = array(select coalesce(k, 0) + coalesce(e, 0)
                             from unnest(known.counts, excluded.counts) with ordinality as both_counts (k, e, at) order by at)`,
    [JSON.stringify(added)],
  );
}

export async function addDays(db: Executor, added: readonly DeliveryDay[]): Promise<void> {
  if (added.length === 0) return;
  await db.query(
    `insert into delivery_days as known (day, channel, outcome, count)
     select day, channel, outcome, count
       from jsonb_to_recordset($1::jsonb) as given (day date, channel text, outcome text, count bigint)
      order by day, channel, outcome
     on conflict (day, channel, outcome) do update set count = known.count + excluded.count`,
    [JSON.stringify(added)],
  );
}

/** The counts since then, minute by minute. Minutes without any have no row. */
export async function minutesSince(
  db: Executor,
  { kind, since }: { kind: MinuteKind; since: Temporal.Instant },
): Promise<MinuteFigures[]> {
  const { rows } = await db.query<{ minute: string; kind: MinuteKind; counts: string[] }>(
    'select minute, kind, counts from minute_figures where minute >= $1 and kind = $2 order by minute',
    [since.toString(), kind],
  );
  return rows.map(({ counts, ...row }) => ({ ...row, counts: counts.map(Number) }));
}

export async function forgetOldFigures(
  db: Executor,
  { minutesBefore, daysBefore }: { minutesBefore: Temporal.Instant; daysBefore: Temporal.Instant },
): Promise<void> {
  await db.query('delete from minute_figures where minute < $1', [minutesBefore.toString()]);
  await db.query('delete from delivery_days where day < $1', [daysBefore.toString().slice(0, 10)]);
}

/** Deliveries of all workspaces by day (UTC) and channel, including both days. Skipped ones are not counted. */
export async function daysBetween(
  db: Executor,
  { from, to }: { from: string; to: string },
): Promise<{ day: string; channel: string; sent: number; failed: number }[]> {
  const { rows } = await db.query<{ day: string; channel: string; sent: string; failed: string }>(
    `select day::text as day, channel, coalesce(sum(count) filter (where outcome = 'accepted'), 0) as sent,
            coalesce(sum(count) filter (where outcome in ('failed', 'unknown')), 0) as failed
       from delivery_days
      where day between $1 and $2 and outcome <> 'skipped'
      group by 1, 2
      order by 1, 2`,
    [from, to],
  );
  return rows.map((row) => ({ ...row, sent: Number(row.sent), failed: Number(row.failed) }));
}
