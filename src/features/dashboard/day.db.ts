import { sql } from 'kysely';
import { type Asked, countedBy, type CountedDay, daysOf } from '#features/dashboard/totals.service.ts';
import { isCountedJob } from '#platform/counted-jobs.ts';
import type { Db } from '#platform/database.ts';

const failedSince = (db: Db, { workspaceId, since }: { workspaceId: string; since: string }) =>
  db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .where('failed_at', 'is not', null)
    .where('failed_at', '>=', since)
    .where(isCountedJob('type'));

export const findFailures = (db: Db, { limit, ...of }: { workspaceId: string; since: string; limit: number }) =>
  failedSince(db, of)
    .select([
      'id',
      'id as job_id',
      'name',
      'status',
      'scheduled_for',
      sql<string>`failed_at`.as('failed_at'),
      'error_message',
    ])
    .orderBy('failed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

export async function countFailures(db: Db, of: { workspaceId: string; since: string }): Promise<number> {
  const found = await failedSince(db, of).select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  return found.count;
}

/**
 * Runs that are completed though something of them was skipped, or cancelled because nobody could be reached, the latest of each reminder, newest first. Only quarters of an hour in which somebody was
 * missed are looked at, as the totals have them, and what no total has.
 */
export async function findSkippedRuns(
  db: Db,
  { workspaceId, since, until, limit }: { workspaceId: string; since: string; until: string; limit: number },
) {
  const { rows } = await sql<{
    id: string;
    name: string;
    status: 'completed' | 'cancelled';
    scheduled_for: string;
    completed_at: string;
  }>`
    with span as (
      select quarter as since, quarter + interval '15 minutes' as until from totals_people
       where workspace_id = ${workspaceId} and quarter > ${since}::timestamptz - interval '15 minutes' and missed > 0
       union
      select quarter, quarter + interval '15 minutes' from totals_marks
       where workspace_id = ${workspaceId} and quarter > ${since}::timestamptz - interval '15 minutes'
       union
      select greatest(${since}::timestamptz, (select totalled_until from totals_progress where workspace_id = ${workspaceId})), ${until}::timestamptz
    ), run as (
      select distinct on (coalesce(j.reminder_id, j.id)) j.id, j.name, j.status, j.scheduled_for, j.completed_at
        from span
        join jobs j on j.workspace_id = ${workspaceId} and j.scheduled_for >= span.since and j.scheduled_for < span.until
       where j.scheduled_for >= ${since} and j.status in ('completed', 'cancelled') and j.error_message is not null and j.completed_at is not null and ${isCountedJob('j.type')}
         and exists (select from deliveries d
                      where d.workspace_id = ${workspaceId} and d.job_id = j.id and d.scheduled_for = j.scheduled_for and d.status = 'skipped'
                        and case when j.status = 'cancelled' then d.reason_code in ('no_address', 'unfit_address', 'no_device', 'suppressed', 'no_consent', 'hours_never_meet', 'channel_disabled')
                                 else d.reason_code is null or d.reason_code not in ('person_skipped', 'person_paused', 'sent_over_another_channel') end)
       order by coalesce(j.reminder_id, j.id), j.scheduled_for desc, j.id desc
    )
    select id, name, status, scheduled_for, completed_at from run
     order by completed_at desc, id desc
     limit ${limit}`.execute(db);
  return rows;
}

/** Counts the messages of each day. The instants are the beginnings of the days, numbered from 1, and the end of the last. */
export async function countDeliveries(db: Db, asked: Asked): Promise<CountedDay[]> {
  const counted = await countedBy(db, asked);
  const { rows } = await daysOf(asked, { ...counted, untotalled: sql`(${counted.untotalled})` }).execute(db);
  return rows;
}
