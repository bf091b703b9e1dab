import type { MisfirePolicy } from '#contract/misfire.ts';
import { dayMs } from '#domain/instants.ts';
import { type Evidence, eventsOf, type Version } from '#simulation/evidence.ts';
import { firstFrom, occurrencesBetween } from '#simulation/occurrences.ts';
import { isoOf } from '#simulation/tables.ts';

const punctualMs = 300_000;
const catchUp = 100;

/** Occurrences that the policy calls missed do not begin, unless a person retries them. */
export function checkMisfires({ events, scenario }: Evidence): string[] {
  return eventsOf(events, 'claim').flatMap(({ claim, request }) =>
    claim.started.flatMap(({ run: { job }, begun }) => {
      const { schedule_config, metadata, due_at: dueAt, attempts, expires_at: expiresAt } = job;
      const isFirst = job.type === 'reminder' && attempts === 1 && expiresAt === null && dueAt === null;
      if (!isFirst || begun.length === 0 || schedule_config === null || metadata === null) return [];
      const atMs = Date.parse(job.scheduled_for);
      return isMissed(
        { schedule_config, misfire: ruleOf(metadata, { scenario, workspaceId: job.workspace_id }) },
        { atMs, nowMs: request.now.epochMilliseconds },
      )
        ? [`${job.id} was begun, and should be missed by ${isoOf(request.now)}`]
        : [];
    }),
  );
}

/** The reminder's rule, or else its workspace's. */
export const ruleOf = (
  { misfire }: Version['input']['metadata'],
  { scenario, workspaceId }: { scenario: Evidence['scenario']; workspaceId: string },
): MisfirePolicy => misfire ?? scenario.workspaces.find(({ id }) => id === workspaceId)?.misfire ?? 'latest';

/** Whether the reminder's policy calls an occurrence missed at this time. */
export function isMissed(
  { schedule_config: schedule, misfire }: Pick<Version['input'], 'schedule_config'> & { misfire: MisfirePolicy },
  { atMs, nowMs }: { atMs: number; nowMs: number },
): boolean {
  const next = firstFrom(schedule, atMs + 1);
  const isSuperseded = next !== null && next <= nowMs;
  const isTooLate = nowMs - atMs >= dayMs + 60_000;
  switch (misfire) {
    case 'latest':
      return isSuperseded || isTooLate;
    case 'skip':
      return isSuperseded || nowMs - atMs >= punctualMs;
    case 'all':
      return (
        occurrencesBetween(schedule, { fromMs: atMs + 1, toMs: nowMs }).length >= catchUp ||
        (schedule.scheduleType === 'once' && isTooLate)
      );
    default:
      return misfire satisfies never;
  }
}
