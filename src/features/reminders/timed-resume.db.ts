import { nilUuid } from '#platform/uuid-bounds.ts';
import type { Pool } from 'pg';

export type PausedReminder = { id: string; workspace_id: string; paused_until: string };

/**
 * Reminders whose pause has ended, after this one, of any workspace that is neither being deleted nor suspended: once it is back, they are resumed. At
 * most `limit`.
 */
export async function findEnded(
  pool: Pool,
  { now, after, limit }: { now: string; after: PausedReminder | null; limit: number },
): Promise<PausedReminder[]> {
  const { rows } = await pool.query<PausedReminder>(
    `select id, workspace_id, paused_until from reminders
      where status = 'paused' and paused_until <= $1 and (paused_until, id) > ($2, $3)
        and workspace_id <> all (array(select id from workspaces where delete_after is not null or suspended_at is not null))
      order by paused_until, id limit $4`,
    [now, after?.paused_until ?? '-infinity', after?.id ?? nilUuid, limit],
  );
  return rows;
}

/** When the next pause of a reminder ends; null when none is to end. */
export async function nextEnd(pool: Pool, now: string): Promise<string | null> {
  const { rows } = await pool.query<{ at: string | null }>(
    "select min(paused_until) as at from reminders where status = 'paused' and paused_until > $1",
    [now],
  );
  return rows[0]?.at ?? null;
}
