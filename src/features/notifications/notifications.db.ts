import { sql } from 'kysely';
import type { Db } from '#platform/database.ts';

export type NewMessageJob = {
  workspaceId: string;
  name: string;
  at: string;
  now: string;
  maxAttempts: number;
  payload: Record<string, unknown>;
};

/** Inserts the pending job of a message that belongs to no reminder. Returns its id. */
export async function insertMessageJob(db: Db, job: NewMessageJob): Promise<string> {
  const { id } = await db
    .insertInto('jobs')
    .values({
      workspace_id: job.workspaceId,
      type: 'api_notification',
      name: job.name,
      scheduled_for: job.at,
      run_at: job.at,
      max_attempts: job.maxAttempts,
      payload: JSON.stringify(job.payload),
      created_at: job.now,
      updated_at: job.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Names the API key that asked for a job, which may then read it. */
export const nameCaller = (
  db: Db,
  { workspaceId, id, apiKeyId }: { workspaceId: string; id: string; apiKeyId: string },
) =>
  db
    .updateTable('jobs')
    .set({ payload: sql`payload || jsonb_build_object('api_key_id', ${apiKeyId}::text)` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
