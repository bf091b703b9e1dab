import type { Db } from '#platform/database.ts';

type Skip = { workspaceId: string; jobId: string; contactId: string };

/** A job of a reminder that has not begun, locked until this transaction ends: a later claim sees what this writes. */
export const lockAhead = (db: Db, { workspaceId, jobId }: Omit<Skip, 'contactId'>) =>
  db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', jobId)
    .where('type', 'in', ['reminder', 'event_reminder'])
    .where('status', 'in', ['pending', 'paused'])
    .where('attempts', '=', 0)
    .where('expires_at', 'is', null)
    .select(['name', 'scheduled_for'])
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Returns whether it is new. */
export async function insertSkip(
  db: Db,
  { workspaceId, jobId, contactId, now }: Skip & { now: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows: rows = 0n } = await db
    .insertInto('job_skips')
    .values({ workspace_id: workspaceId, job_id: jobId, contact_id: contactId, created_at: now })
    .onConflict((known) => known.columns(['job_id', 'contact_id']).doNothing())
    .executeTakeFirst();
  return rows > 0n;
}

/** Returns whether there was one. */
export async function deleteSkip(db: Db, { workspaceId, jobId, contactId }: Skip): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('job_skips')
    .where('workspace_id', '=', workspaceId)
    .where('job_id', '=', jobId)
    .where('contact_id', '=', contactId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The contacts for whom a job is skipped. */
export const findSkipsOfJob = (db: Db, { workspaceId, jobId }: Omit<Skip, 'contactId'>) =>
  db
    .selectFrom('job_skips')
    .where('workspace_id', '=', workspaceId)
    .where('job_id', '=', jobId)
    .select('contact_id')
    .execute();

/** The jobs that are skipped for a contact and have not begun. */
export const findSkipsOfContact = (db: Db, { workspaceId, contactId }: Omit<Skip, 'jobId'>) =>
  db
    .selectFrom('job_skips as s')
    .innerJoin('jobs as j', 'j.id', 's.job_id')
    .where('s.workspace_id', '=', workspaceId)
    .where('s.contact_id', '=', contactId)
    .where('j.status', 'in', ['pending', 'paused'])
    .select('s.job_id')
    .execute();
