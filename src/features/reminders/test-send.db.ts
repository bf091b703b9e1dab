import type { Db } from '#platform/database.ts';

export async function insertTestJob(
  db: Db,
  job: {
    workspaceId: string;
    reminderId: string;
    name: string;
    now: string;
    maxAttempts: number;
    payload: Record<string, unknown>;
  },
): Promise<string> {
  const { id } = await db
    .insertInto('jobs')
    .values({
      workspace_id: job.workspaceId,
      reminder_id: job.reminderId,
      type: 'test_reminder',
      name: job.name,
      scheduled_for: job.now,
      run_at: job.now,
      max_attempts: job.maxAttempts,
      payload: JSON.stringify(job.payload),
      created_at: job.now,
      updated_at: job.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
