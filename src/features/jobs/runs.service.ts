import type { LastRun } from '#contract/reminders.ts';
import * as rows from '#features/jobs/jobs.db.ts';
import { countedPage, notCounted } from '#features/jobs/jobs.service.ts';
import { type CountedPeople, countOfJobs, peopleCountsOf } from '#features/jobs/recipient-counts.db.ts';
import { getReminder } from '#features/reminders/reminders.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { pageOf } from '#platform/page.ts';

/** The runs of a reminder, newest first. Throws NotFound. */
export async function listRuns(
  ctx: TenantContext,
  { id, cursor, limit }: { id: string; cursor?: string; limit: number },
) {
  const { workspaceId } = ctx;
  const { schedule_config: schedule } = await getReminder(ctx, id);
  const after = decodeCursor(cursor);
  const isEvent = schedule.type === 'event-based';
  const found = await rows.findRuns(ctx.db, { workspaceId, reminderId: id, isEvent, after, limit });
  return pageOf(await countedPage(ctx, found), { at: (run) => run.scheduled_for });
}

/** How many recipients of a run are counted; larger runs use their logs, since a list shows the runs of all its reminders. */
const countedInList = 500;

/** The last run of each of these reminders that has one, by the reminder's id. */
export async function lastRunsOf(
  { db, workspaceId }: TenantContext,
  reminderIds: readonly string[],
): Promise<Map<string, LastRun>> {
  if (reminderIds.length === 0) return new Map();
  const runs = await rows.findLastRuns(db, { workspaceId, reminderIds });
  const counts = await countOfJobs(db, { workspaceId, jobs: runs, most: countedInList });
  return new Map(
    runs.map(({ reminder_id: reminderId, ...run }) => [reminderId, { ...run, ...(counts.get(run.id) ?? notCounted) }]),
  );
}

export { type CountedPeople, peopleCountsOf };
