import { maxAttempts } from '#domain/retry.ts';
import { latestOccurrence } from '#domain/schedule.ts';
import { insertSuccessors } from '#engine/claim.sql.ts';
import { type DueJob, isFirstClaim } from '#engine/run.ts';

/**
 * Every first claim of a scheduled occurrence makes the next one. After downtime the newest missed occurrence comes
 * first, so that a reminder catches up with one message and not with a flood. Null when there is nothing to insert.
 */
export function successorsOf(due: readonly DueJob[], { now }: { now: Temporal.Instant }) {
  const found = due.flatMap((one) => {
    const { job } = one;
    if (job.type !== 'reminder' || !isFirstClaim(job) || job.reminder_status !== 'active' || job.reminder_id === null)
      return [];
    const at = successorOf(one, now);
    const attempts = job.metadata === null ? 8 : Math.max(...job.metadata.channels.map(maxAttempts));
    return at === null ? [] : [{ job, at: at.toString(), attempts }];
  });
  if (found.length === 0) return null;
  return {
    ...insertSuccessors,
    values: [
      found.map(({ job }) => job.workspace_id),
      found.map(({ job }) => job.reminder_id),
      found.map(({ job }) => job.name),
      found.map(({ at }) => at),
      found.map(({ attempts }) => attempts),
      found.map(({ job }) => job.reminder_revision),
    ],
  };
}

function successorOf({ job, scheduledFor, next }: DueJob, now: Temporal.Instant): Temporal.Instant | null {
  if (next === null || job.schedule_config === null || Temporal.Instant.compare(next, now) > 0) return next;
  return latestOccurrence(job.schedule_config, { after: scheduledFor, until: now });
}
