import { sql } from 'kysely';
import type { FirstSteps } from '#contract/dashboard.ts';
import type { Db } from '#platform/database.ts';

type Member = { workspaceId: string; userId: string };

/** What the workspace has done of its first steps; null where the member has dismissed them. */
export async function findFirstSteps(db: Db, { workspaceId, userId }: Member): Promise<FirstSteps | null> {
  const { rows } = await sql<FirstSteps>`
    select exists (select from contacts where workspace_id = ${workspaceId}) as contact,
           exists (select from channels where workspace_id = ${workspaceId}) as channel,
           exists (select from reminders where workspace_id = ${workspaceId} and status <> 'deleted') as reminder,
           exists (select from executions where workspace_id = ${workspaceId} and status = 'completed') as message
      from workspace_members
     where workspace_id = ${workspaceId} and user_id = ${userId} and first_steps_dismissed_at is null`.execute(db);
  return rows[0] ?? null;
}

export const dismissFirstSteps = (db: Db, { workspaceId, userId, now }: Member & { now: string }) =>
  db
    .updateTable('workspace_members')
    .set({ first_steps_dismissed_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('first_steps_dismissed_at', 'is', null)
    .execute();
