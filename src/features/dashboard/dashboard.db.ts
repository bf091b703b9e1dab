import { sql } from 'kysely';
import type { ReminderStatus } from '#contract/reminders.ts';
import { isDone, isListed } from '#features/reminders/done.service.ts';
import { isCountedJob, isPartlySentJob } from '#platform/counted-jobs.ts';
import type { Db } from '#platform/database.ts';

type Counts = {
  activeReminders: number;
  activeRemindersBefore: number;
  completedThisWeek: number;
  completedLastWeek: number;
  partlySentThisWeek: number;
  teamMembers: number;
  teamMembersBefore: number;
  templates: number;
  templatesBefore: number;
};

/** The counts now and one week ago, in one round trip. */
export async function countForDashboard(
  db: Db,
  {
    workspaceId,
    weekAgo,
    twoWeeksAgo,
    now,
  }: { workspaceId: string; weekAgo: string; twoWeeksAgo: string; now: string },
): Promise<Counts> {
  // Found by their runs, which are sorted by time; one that began days ago may have ended within this time.
  const { rows } = await sql<Counts>`
    with completed as (
      select completed_at, status = 'failed' as is_partly_sent from jobs
       where workspace_id = ${workspaceId} and (status = 'completed' or ${isPartlySentJob}) and ${isCountedJob('type')} and completed_at >= ${twoWeeksAgo}
         and id = any (array(
           select job_id from executions
            where workspace_id = ${workspaceId} and status in ('completed', 'failed')
              and listed_at >= ${twoWeeksAgo}::timestamptz - interval '2 days'
              and (not is_on_job or listed_at < ${now}::timestamptz + interval '1 hour')))
    )
    select
      (select count(*)::int from reminders r where r.workspace_id = ${workspaceId} and r.status = 'active' and ${isListed} and not ${isDone}) as "activeReminders",
      (select count(*)::int from reminders r where r.workspace_id = ${workspaceId} and r.status = 'active' and r.created_at < ${weekAgo} and ${isListed} and not ${isDone}) as "activeRemindersBefore",
      (select count(*)::int from completed where completed_at >= ${weekAgo}) as "completedThisWeek",
      (select count(*)::int from completed where completed_at < ${weekAgo}) as "completedLastWeek",
      (select count(*)::int from completed where completed_at >= ${weekAgo} and is_partly_sent) as "partlySentThisWeek",
      (select count(*)::int from workspace_members where workspace_id = ${workspaceId}) as "teamMembers",
      (select count(*)::int from workspace_members where workspace_id = ${workspaceId} and joined_at < ${weekAgo}) as "teamMembersBefore",
      (select count(*)::int from templates where workspace_id = ${workspaceId}) as "templates",
      (select count(*)::int from templates where workspace_id = ${workspaceId} and created_at < ${weekAgo}) as "templatesBefore"`.execute(
    db,
  );
  const [counts] = rows;
  if (counts === undefined) throw new Error('a select of counts answered no row');
  return counts;
}

export const recentReminders = (db: Db, { workspaceId }: { workspaceId: string }) =>
  db
    .selectFrom('reminders as r')
    .where('r.workspace_id', '=', workspaceId)
    .where('r.status', '<>', 'deleted')
    .where(isListed)
    .select(['r.id', 'r.name', 'r.description', 'r.status', isDone.as('is_done'), 'r.metadata', 'r.created_at'])
    .$narrowType<{ status: ReminderStatus }>()
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(5)
    .execute();
