import { type Kysely, sql } from 'kysely';
import type { Schema } from '#platform/schema.ts';

/** Whom a limit counts: a workspace, a person, or a subject of sign-in, which is a hash. */
export type Counted = { workspaceId: string } | { userId: string } | { subject: string };

/** A fixed window: at most this many units in this many seconds, counted from the first request after the last window. */
export type WindowLimit = { bucket: string; most: number; seconds: number };

/**
 * A number of free attempts, then a delay before each, which doubles from a second up to `maxDelaySeconds`. Reset after `forgetSeconds` without an
 * attempt.
 */
export type BackoffLimit = { bucket: string; free: number; maxDelaySeconds: number; forgetSeconds: number };

export type Spent = { isRefused: boolean; remaining: number; retryAfterSeconds: number };

type Db = Kysely<Schema>;
type Asked<L> = { counted: Counted; limit: L; now: Temporal.Instant };

/**
 * Counts a request of some cost, if the limit allows it. A cost above the whole limit passes where nothing is counted
 * yet. One statement decides, so that concurrent requests cannot exceed the limit.
 */
export async function spend(
  db: Db,
  { counted, limit, now, cost = 1 }: Asked<WindowLimit> & { cost?: number },
): Promise<Spent> {
  const { bucket, most, seconds } = limit;
  const at = sql`${now.toString()}::timestamptz`;
  const { rows } = await sql<Row>`
    insert into request_counts as c (workspace_id, user_id, subject, bucket, used, expires_at)
    values (${keyOf(counted)}, ${bucket}, ${cost}, ${at} + make_interval(secs => ${seconds}))
    on conflict (workspace_id, user_id, subject, bucket) do update
       set used = case when c.expires_at <= ${at} then excluded.used else c.used + excluded.used end,
           expires_at = case when c.expires_at <= ${at} then excluded.expires_at else c.expires_at end
     where c.expires_at <= ${at} or c.used + excluded.used <= ${most}
    returning ${seen}`.execute(db);
  const row = rows[0] ?? (await findRow(db, { counted, bucket }));
  // Without a row, it expired and was deleted between the two statements.
  const leftMs = row === undefined ? 0 : row.expires_at_ms - now.epochMilliseconds;
  return {
    isRefused: rows.length === 0,
    remaining: Math.max(0, most - (row?.used ?? 0)),
    // At least a second and at most the window: the clocks of several machines differ a little.
    retryAfterSeconds: Math.min(seconds, Math.max(1, Math.ceil(leftMs / 1000))),
  };
}

/**
 * Counts an attempt, if its delay is over. A refused one is not counted and makes the delay no longer.
 * @param asked.extraDelaySeconds by which this one waits longer than others, where there is a delay
 */
export async function attempt(
  db: Db,
  { counted, limit, now, extraDelaySeconds = 0 }: Asked<BackoffLimit> & { extraDelaySeconds?: number },
): Promise<Spent> {
  const { bucket, free, maxDelaySeconds, forgetSeconds } = limit;
  const at = sql`${now.toString()}::timestamptz`;
  const { rows } = await sql<Row>`
    insert into request_counts as c (workspace_id, user_id, subject, bucket, used, expires_at)
    values (${keyOf(counted)}, ${bucket}, 1, ${at} + make_interval(secs => ${forgetSeconds}))
    on conflict (workspace_id, user_id, subject, bucket) do update
       set used = case when c.expires_at <= ${at} then 1 else c.used + 1 end,
           expires_at = excluded.expires_at
     where c.expires_at <= ${at} or c.used < ${free}
        or c.expires_at - make_interval(secs => ${forgetSeconds})
           + make_interval(secs => least(${maxDelaySeconds}::float8, power(2::float8, least(c.used - ${free}::int, 30)))
                                + ${extraDelaySeconds}::float8) <= ${at}
    returning ${seen}`.execute(db);
  const row = rows[0] ?? (await findRow(db, { counted, bucket }));
  const used = row?.used ?? 0;
  const lastMs = row === undefined ? 0 : row.expires_at_ms - forgetSeconds * 1000;
  const delaySeconds = used < free ? 0 : Math.min(maxDelaySeconds, 2 ** (used - free)) + extraDelaySeconds;
  const leftMs = lastMs + delaySeconds * 1000 - now.epochMilliseconds;
  return {
    isRefused: rows.length === 0,
    remaining: Math.max(0, free - used),
    retryAfterSeconds: Math.min(maxDelaySeconds + extraDelaySeconds, Math.max(1, Math.ceil(leftMs / 1000))),
  };
}

/** Refunds a counted attempt. */
export async function giveBack(db: Db, { counted, bucket }: { counted: Counted; bucket: string }): Promise<void> {
  await sql`update request_counts set used = greatest(used - 1, 0) where ${isOf({ counted, bucket })}`.execute(db);
}

export async function clearCount(db: Db, { counted, bucket }: { counted: Counted; bucket: string }): Promise<void> {
  await sql`delete from request_counts where ${isOf({ counted, bucket })}`.execute(db);
}

export const isCounted = async (
  db: Db,
  of: { counted: Counted; bucket: string; now: Temporal.Instant },
): Promise<boolean> => (await findCount(db, of)) !== null;

/** How much was used of the window that is open now, and its end; null when none is open. */
export async function findCount(
  db: Db,
  { now, ...of }: { counted: Counted; bucket: string; now: Temporal.Instant },
): Promise<{ used: number; expiresAt: Temporal.Instant } | null> {
  const row = await findRow(db, of);
  if (row === undefined || row.expires_at_ms <= now.epochMilliseconds) return null;
  return { used: row.used, expiresAt: Temporal.Instant.fromEpochMilliseconds(Math.floor(row.expires_at_ms)) };
}

type Row = { used: number; expires_at_ms: number };

/** As a number of milliseconds, because the pools return instants in different types. */
const seen = sql`used, (extract(epoch from expires_at) * 1000)::float8 as expires_at_ms`;

async function findRow(db: Db, of: { counted: Counted; bucket: string }): Promise<Row | undefined> {
  const { rows } = await sql<Row>`select ${seen} from request_counts where ${isOf(of)}`.execute(db);
  return rows[0];
}

const partsOf = (counted: Counted) => ({
  workspaceId: 'workspaceId' in counted ? counted.workspaceId : null,
  userId: 'userId' in counted ? counted.userId : null,
  subject: 'subject' in counted ? counted.subject : null,
});

function keyOf(counted: Counted) {
  const { workspaceId, userId, subject } = partsOf(counted);
  return sql`${workspaceId}::uuid, ${userId}::uuid, ${subject}::text`;
}

/** Written out, because `is not distinct from` would use no index. */
function isOf({ counted, bucket }: { counted: Counted; bucket: string }) {
  if ('workspaceId' in counted)
    return sql`workspace_id = ${counted.workspaceId} and user_id is null and subject is null and bucket = ${bucket}`;
  if ('userId' in counted)
    return sql`workspace_id is null and user_id = ${counted.userId} and subject is null and bucket = ${bucket}`;
  return sql`workspace_id is null and user_id is null and subject = ${counted.subject} and bucket = ${bucket}`;
}
