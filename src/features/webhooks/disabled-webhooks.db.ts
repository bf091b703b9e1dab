import type { Pool } from 'pg';

/** A disabled webhook; `failing_since` is ISO text. */
export type DisabledWebhook = {
  id: string;
  workspace_id: string;
  workspace: string;
  target: string;
  failing_since: string | null;
  last_answer: string | null;
};

/** Takes disabled webhooks whose owners have not been mailed yet; of concurrent processes, one gets each. */
export async function takeUntold(pool: Pool, now: string): Promise<DisabledWebhook[]> {
  const { rows } = await pool.query<DisabledWebhook>(
    `update webhooks h set owners_notified_at = $1
       from workspaces w
      where w.id = h.workspace_id and h.disabled_at is not null and h.owners_notified_at is null
        and w.delete_after is null and w.suspended_at is null
    returning h.id, h.workspace_id, w.name as workspace, h.url as target, h.failing_since, h.last_answer`,
    [now],
  );
  return rows;
}

export const giveBack = (pool: Pool, id: string) =>
  pool.query('update webhooks set owners_notified_at = null where id = $1 and disabled_at is not null', [id]);

export async function ownersOf(pool: Pool, workspaceId: string): Promise<string[]> {
  const { rows } = await pool.query<{ email: string }>('select email from owners_of($1)', [workspaceId]);
  return rows.map(({ email }) => email);
}
