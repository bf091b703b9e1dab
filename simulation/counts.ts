import { audiencesAsked } from '#simulation/check-audiences.ts';
import { reportedIn } from '#simulation/attempts.ts';
import { type Evidence, eventsOf, lateFailuresIn } from '#simulation/evidence.ts';

/** How often each relevant event happened. */
export function countsOf(evidence: Evidence): Map<string, number> {
  const { events } = evidence;
  const claims = eventsOf(events, 'claim');
  const records = eventsOf(events, 'record');
  const outcomes = records.flatMap(({ batch }) => batch.outcomes);
  const first = claims.flatMap(({ claim, request }) =>
    claim.started.filter(
      ({ run: { job }, begun }) =>
        job.type === 'reminder' &&
        job.attempts === 1 &&
        job.due_at === null &&
        begun.length > 0 &&
        request.now.epochMilliseconds - Date.parse(job.scheduled_for) > 300_000,
    ),
  );
  const missed = records.flatMap(({ batch }) => batch.finishes.filter(({ code }) => code === 'missed'));
  return new Map([
    ['claims', claims.length],
    ['messages sent', eventsOf(events, 'request').length],
    ['fence rejections', rejections(events)],
    ['rescues', eventsOf(events, 'rescue').filter(({ jobs }) => jobs > 0).length],
    ['catch-ups', first.length],
    ['missed occurrences', missed.length],
    ['late failures', lateFailuresIn(events).size],
    ['audiences', audiencesAsked(evidence)],
    ['jobs left in the queue', claims.flatMap(({ claim }) => claim.left).length],
    ['unknown outcomes', reportedIn(evidence).filter(({ isUnknown }) => isUnknown).length],
    ['retries', eventsOf(events, 'begin').flatMap(({ begun }) => begun.filter(({ attempts }) => attempts > 1)).length],
    ['breaker openings', outcomes.filter(({ settled: { code } }) => code === 'circuit_open').length],
    ['turned away', outcomes.filter(({ settled: { code } }) => code === 'destination_busy').length],
  ]);
}

/** Results that arrived after the claim had been taken over. */
function rejections(events: Evidence['events']): number {
  const lost = new Map(eventsOf(events, 'rescue').map(({ claimId, order }) => [claimId, order]));
  return eventsOf(events, 'record').flatMap(({ batch, call }) =>
    batch.finishes.filter(({ claimId }) => (lost.get(claimId) ?? Infinity) < call.since.order),
  ).length;
}
