import type { Pool } from 'pg';
import type { Alert, AlertCause } from '#contract/alerts.ts';

/** `day` is in UTC. */
export type CauseOfDay = { cause: AlertCause; day: string };

/** Records that the cause was seen. Returns whether it is new on this day. */
export async function noteAlert(
  pool: Pool,
  { cause, day, detail, now }: CauseOfDay & { detail: string; now: Temporal.Instant },
): Promise<boolean> {
  const { rows } = await pool.query<{ is_untold: boolean }>(
    `insert into alerts (cause, day, detail, first_at, last_at) values ($1, $2, $3, $4, $4)
     on conflict (cause, day) do update
       set detail = excluded.detail, last_at = excluded.last_at, resolved_at = null,
           dismissed_at = case when alerts.resolved_at is null then alerts.dismissed_at end
     returning mailed_at is null as is_untold`,
    [cause, day, detail, now.toString()],
  );
  return rows[0]?.is_untold === true;
}

/** Reserves the mail of this cause and day; of concurrent processes one succeeds. */
export async function takeMail(
  pool: Pool,
  { cause, day, now }: CauseOfDay & { now: Temporal.Instant },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update alerts set mailed_at = $3 where cause = $1 and day = $2 and mailed_at is null',
    [cause, day, now.toString()],
  );
  return rowCount === 1;
}

/** Releases the reservation when no mail was accepted: it is tried again on the same day. */
export const giveBackMail = (pool: Pool, { cause, day }: CauseOfDay) =>
  pool.query('update alerts set mailed_at = null where cause = $1 and day = $2', [cause, day]);

export async function administratorEmails(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ email: string }>(
    'select email from profiles where is_system_admin and not is_demo and suspended_at is null order by created_at limit 50',
  );
  return rows.map(({ email }) => email);
}

export async function listAlerts(pool: Pool, { since }: { since: Temporal.Instant }): Promise<Alert[]> {
  const { rows } = await pool.query<Alert>(
    `select cause, day::text as day, detail, first_at, last_at, mailed_at, resolved_at from alerts
      where last_at >= $1 and dismissed_at is null order by resolved_at is not null, last_at desc, cause`,
    [since.toString()],
  );
  return rows;
}

/** Ends the alerts of these causes that no process has seen since. */
export const resolveAlerts = (
  pool: Pool,
  { causes, unseenSince, now }: { causes: readonly AlertCause[]; unseenSince: Temporal.Instant; now: Temporal.Instant },
) =>
  pool.query('update alerts set resolved_at = $3 where cause = any ($1) and resolved_at is null and last_at <= $2', [
    causes,
    unseenSince.toString(),
    now.toString(),
  ]);

/** Dismisses an alert. Returns whether it was there, and not dismissed already. */
export async function markDismissed(
  pool: Pool,
  { cause, day, now }: CauseOfDay & { now: Temporal.Instant },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update alerts set dismissed_at = $3 where cause = $1 and day = $2 and dismissed_at is null',
    [cause, day, now.toString()],
  );
  return rowCount === 1;
}

export const forgetAlerts = (pool: Pool, { before }: { before: Temporal.Instant }) =>
  pool.query('delete from alerts where last_at < $1', [before.toString()]);
