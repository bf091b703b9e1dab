import { sql } from 'kysely';
import type { JobStatus } from '#contract/job-states.ts';
import type { JobType } from '#contract/job-types.ts';
import { isDone, isListed } from '#features/reminders/done.service.ts';
import { isCountedJob, isPartlySentJob } from '#platform/counted-jobs.ts';
import type { Db } from '#platform/database.ts';

type Counts = {
  templates: number;
  reminders: number;
  active_reminders: number;
  members: number;
  channels: number;
  contacts: number;
};

/** Counts the workspace's reminders, jobs and the like, in one round trip. */
export async function countThings(db: Db, { workspaceId }: { workspaceId: string }): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select
      (select count(*)::int from templates where workspace_id = ${workspaceId}) as templates,
      (select count(*)::int from reminders r where r.workspace_id = ${workspaceId} and r.status <> 'deleted' and ${isListed}) as reminders,
      (select count(*)::int from reminders r where r.workspace_id = ${workspaceId} and r.status = 'active' and ${isListed} and not ${isDone}) as active_reminders,
      (select count(*)::int from workspace_members where workspace_id = ${workspaceId}) as members,
      (select count(*)::int from channels where workspace_id = ${workspaceId}) as channels,
      (select count(*)::int from contacts where workspace_id = ${workspaceId}) as contacts`.execute(db);
  const [counts] = rows;
  if (counts === undefined) throw new Error('a select of counts answered no row');
  return counts;
}

/** How many people were reached and missed by all messages, each once in a run. */
export async function countPeople(
  db: Db,
  { workspaceId }: { workspaceId: string },
): Promise<{ reached: number; missed: number }> {
  const { rows } = await sql<{ reached: number; missed: number }>`
    select reached, missed from people_of_workspace(${workspaceId})`.execute(db);
  return rows[0] ?? { reached: 0, missed: 0 };
}

/** How many executions there were, and how long they took on average; those of tests do not count. */
export async function measureExecutions(
  db: Db,
  { workspaceId }: { workspaceId: string },
): Promise<{ total: number; average_ms: number | null }> {
  const { rows } = await sql<{ total: number; average_ms: number | null }>`
    select count(*)::int as total, round(avg(duration_ms), 1)::float8 as average_ms
      from executions
     where workspace_id = ${workspaceId} and duration_ms is not null
       and ${ofCounted({ workspaceId })}`.execute(db);
  return rows[0] ?? { total: 0, average_ms: null };
}

/** As a subquery, which the planner hashes once: an array of the tests would be searched for each run. */
const ofCounted = ({ workspaceId }: { workspaceId: string }) =>
  sql<boolean>`job_id not in (select id from jobs where workspace_id = ${workspaceId} and not (${isCountedJob('type')}))`;

export function latestExecutions(
  db: Db,
  { workspaceId, limit, now }: { workspaceId: string; limit: number; now: Temporal.Instant },
) {
  const latest = db
    .selectFrom('executions')
    .where('workspace_id', '=', workspaceId)
    .where('duration_ms', 'is not', null)
    .where(ofCounted({ workspaceId }))
    // A job that has not run yet is excluded by its time, with an hour to spare in case two clocks differ.
    .where(sql<boolean>`(not is_on_job or listed_at < ${now.add({ hours: 1 }).toString()})`)
    // Runs on the rows of jobs are read only as far back as the latest `limit` runs of the table.
    .where(
      sql<boolean>`listed_at >= (select coalesce((
        select started_at from job_executions
         where workspace_id = ${workspaceId} and duration_ms is not null and ${ofCounted({ workspaceId })}
         order by started_at desc, id desc offset ${limit - 1} limit 1), '-infinity'))`,
    )
    .select(['id', 'workspace_id', 'job_id', 'status', 'started_at', 'duration_ms', 'listed_at', 'logs'])
    .orderBy('listed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  return db
    .selectFrom(latest.as('e'))
    .innerJoin('jobs as j', (join) =>
      join.onRef('j.workspace_id', '=', 'e.workspace_id').onRef('j.id', '=', 'e.job_id'),
    )
    .select(['e.id', 'e.job_id', 'j.name', 'e.status', 'e.started_at', 'e.duration_ms', 'e.logs'])
    .$narrowType<{ status: 'completed' | 'failed'; duration_ms: number }>()
    .orderBy('e.listed_at', 'desc')
    .orderBy('e.id', 'desc')
    .execute();
}

/** The newest by their ids, which begin with the time of creation. */
export const newestJobs = (db: Db, { workspaceId, limit }: { workspaceId: string; limit: number }) =>
  db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .where('archived_at', 'is', null)
    .where(isCountedJob('type'))
    .select(['id', 'name', 'type', 'status', 'created_at', isPartlySentJob.as('is_partly_sent')])
    .$narrowType<{ status: JobStatus; type: JobType }>()
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
