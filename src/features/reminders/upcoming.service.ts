import type { Forecast } from '#contract/schedules.ts';
import { withHours } from '#features/reminders/forecast-hours.service.ts';
import { takenTimes } from '#features/reminders/occurrence.db.ts';
import { getReminder } from '#features/reminders/reminders.service.ts';
import { forecast } from '#features/reminders/schedule.service.ts';
import { remindersPausedUntil } from '#features/workspaces/workspaces.service.ts';
import type { TenantContext } from '#platform/context.ts';

/**
 * The next times at which a reminder will be sent, from its schedule and the queue. An occurrence that has ended or was cancelled is left out, and a
 * paused one waits until a person resumes it. For an inactive reminder: the times if it were active.
 */
export async function upcomingOf(ctx: TenantContext, { id, count }: { id: string; count: number }): Promise<Forecast> {
  const { status, schedule_config, workspace_id: workspaceId, paused_until } = await getReminder(ctx, id);
  if (schedule_config.type !== 'scheduled') return nothing;
  const after = await endOfPauses(ctx, paused_until);
  const [first] = forecast(ctx, { schedule_config, count: 1, after }).occurrences;
  if (first === undefined) return nothing;
  const taken = await takenTimes(ctx.db, { workspaceId, reminderId: id, from: first, except: [] });
  const statusAt = (at: string) => taken.get(at)?.status ?? 'pending';
  const { occurrences, notes } = forecast(ctx, { schedule_config, count: count + taken.size, after });
  const comes = occurrences.filter((at) => ['pending', 'paused'].includes(statusAt(at))).slice(0, count);
  const deferred = comes.filter((at) => status === 'active' && statusAt(at) === 'paused');
  const said = [
    ...notes.filter(({ at }) => comes.includes(at)),
    ...deferred.map((at) => ({ at, note: 'Paused: waits until somebody resumes it' })),
  ];
  return withHours(ctx, { occurrences: comes, notes: said });
}

/** The moment before the reminder's and the workspace's pauses have ended; undefined when neither ends by itself. */
async function endOfPauses(ctx: TenantContext, pausedUntil: string | null): Promise<string | undefined> {
  const ends = [pausedUntil === null ? null : Temporal.Instant.from(pausedUntil), await remindersPausedUntil(ctx)]
    .filter((end) => end !== null && Temporal.Instant.compare(ctx.now, end) < 0)
    .toSorted((a, b) => Temporal.Instant.compare(a ?? ctx.now, b ?? ctx.now));
  return ends.at(-1)?.subtract({ milliseconds: 1 }).toString();
}

const nothing: Forecast = { occurrences: [], notes: [] };
