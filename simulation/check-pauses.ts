import { actsIn, type Evidence, eventsOf } from '#simulation/evidence.ts';

/**
 * Nothing of a reminder begins while all are paused, and what came due before the end of the pause never begins by itself. A claim that
 * overlaps with a pause or its end may have seen either.
 */
export function checkPauses({ events }: Evidence): string[] {
  const acts = actsIn(events);
  return eventsOf(events, 'claim').flatMap(({ claim, request, call }) =>
    claim.started.flatMap(({ run: { job }, begun }) => {
      if (job.type !== 'reminder' || begun.length === 0) return [];
      const own = acts.filter(({ act }) => act.kind === 'pauseAll' && act.workspaceId === job.workspace_id);
      const before = own.filter(({ order }) => order < call.since.order);
      const isOverlapping =
        own.length > before.length && own.some(({ since }) => since.order < (call.answered?.order ?? Infinity));
      const until = before.reduce<number>(
        (end, { act, done, since }) =>
          act.kind !== 'pauseAll' || done.answer.kind !== 'done' || (act.seconds === 0 && end <= since.atMs)
            ? end
            : since.atMs + act.seconds * 1_000,
        -Infinity,
      );
      const dueMs = Date.parse(job.due_at ?? job.scheduled_for);
      const isFirst = job.attempts === 1 && job.expires_at === null;
      const isPaused = request.now.epochMilliseconds < until || (isFirst && dueMs < until);
      return isPaused && !isOverlapping ? [`${job.id} was begun while all reminders were paused`] : [];
    }),
  );
}
