import { sql } from 'kysely';
import type { PeopleCounts } from '#contract/job-states.ts';
import { type CountedPeople, peopleCountsOf } from '#features/jobs/runs.service.ts';
import type { Db } from '#platform/database.ts';

/** The runs in [from, to) of a workspace, of one of its reminders, or for the people of a group as it is now. */
export type SummaryOf = {
  workspaceId: string;
  reminderId: string | null;
  groupId: string | null;
  from: string;
  to: string;
};

export type SummarizedRun = { id: string; name: string; scheduled_for: string; people: PeopleCounts };

type CountedRow = { id: string; name: string; scheduled_for: string; counts: CountedPeople[] };

/** The ids of the group's people. */
export async function findPeopleOfGroup(
  db: Db,
  { workspaceId, groupId }: Pick<SummaryOf, 'workspaceId'> & { groupId: string },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from audience_of(${workspaceId}, false, array[${groupId}]::uuid[], '{}', '{}', null, null)`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * A page of the runs with people, oldest first, without tests; each counted as `counts_of_run` does.
 * @param of.among the ids of the people that count; null for all
 */
export async function findCountedRuns(
  db: Db,
  {
    workspaceId,
    reminderId,
    from,
    to,
    among,
    after,
    limit,
  }: Omit<SummaryOf, 'groupId'> & {
    among: readonly string[] | null;
    after: { scheduled_for: string; id: string } | null;
    limit: number;
  },
): Promise<{ runs: SummarizedRun[]; last: { scheduled_for: string; id: string } | null }> {
  const counted =
    among === null
      ? sql`select outcome, reason_code, reason_params, count from counts_of_run(j.workspace_id, j.id, j.scheduled_for, null) where unit = 'person'`
      : sql`select outcome, reason_code, reason_params, count from counts_of_people(j.workspace_id, j.id, j.scheduled_for, ${among}::uuid[])`;
  const { rows } = await sql<CountedRow>`
    select j.id, j.name, j.scheduled_for, coalesce(c.counts, '[]') as counts
      from (select id, workspace_id, name, scheduled_for from jobs
             where workspace_id = ${workspaceId} and scheduled_for >= ${from}::timestamptz and scheduled_for < ${to}::timestamptz
               and type <> 'test_reminder' and started_at is not null
               and (${reminderId}::uuid is null or reminder_id = ${reminderId})
               and (${after === null} or (scheduled_for, id) > (${after?.scheduled_for ?? null}::timestamptz, ${after?.id ?? null}::uuid))
             order by scheduled_for, id limit ${limit}) j
     cross join lateral (select json_agg(p) as counts from (${counted}) p) c
     order by j.scheduled_for, j.id`.execute(db);
  const runs = rows
    .map(({ counts, ...run }) => ({ ...run, people: peopleCountsOf(counts) }))
    .filter(({ people }) => people.total > 0);
  const last = rows.length < limit ? null : (rows.at(-1) ?? null);
  return { runs, last: last && { scheduled_for: last.scheduled_for, id: last.id } };
}

/** The name of what a report is about; null for the whole workspace. */
export async function findAbout(
  db: Db,
  { workspaceId, reminderId, groupId }: Pick<SummaryOf, 'workspaceId' | 'reminderId' | 'groupId'>,
): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select name from reminders where workspace_id = ${workspaceId} and id = ${reminderId}::uuid
     union all
    select name from contact_groups where workspace_id = ${workspaceId} and id = ${groupId}::uuid`.execute(db);
  return rows[0]?.name ?? null;
}
