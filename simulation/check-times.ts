import { type Begun, begunIn, isAbout, isSameAttempt, reportedIn } from '#simulation/attempts.ts';
import { actsIn, type Evidence, eventsOf } from '#simulation/evidence.ts';
import { isoOf } from '#simulation/tables.ts';

/** Nothing is sent before its time, neither an occurrence nor a retry, unless a person has retried it. */
export function checkTimes(evidence: Evidence): string[] {
  return [...earlyOccurrences(evidence), ...earlyRetries(evidence)];
}

function earlyOccurrences({ events }: Evidence): string[] {
  return eventsOf(events, 'claim').flatMap(({ claim, request }) =>
    claim.started
      .filter(({ run: { job } }) => job.attempts === 1 && job.expires_at === null)
      .filter(({ run: { job } }) => Date.parse(job.scheduled_for) > request.now.epochMilliseconds)
      .map(({ run: { job } }) => `${job.id} was begun before its time, at ${isoOf(request.now)}`),
  );
}

/** By the clock of the worker that claimed the job: what was due then may begin. */
function earlyRetries(evidence: Evidence): string[] {
  const { events } = evidence;
  const reported = Map.groupBy(reportedIn(evidence), ({ line }) => line);
  const claimedMs = new Map(
    eventsOf(events, 'claim').map(({ claim, request }) => [claim.id, request.now.epochMilliseconds]),
  );
  const retries = actsIn(events).filter(({ act }) => act.kind === 'job' && act.action === 'retry');
  const wasAskedFor = (before: Begun, next: Begun) =>
    retries.some(
      ({ act, order }) =>
        act.kind === 'job' && act.jobId === next.jobId && order > before.call.since.order && order < next.done.order,
    );
  return [...Map.groupBy(begunIn(evidence), ({ line }) => line).values()].flatMap((ofLine) =>
    ofLine.slice(1).flatMap((next, at) => {
      const before = ofLine[at];
      if (before === undefined || isSameAttempt(before, next) || wasAskedFor(before, next)) return [];
      const mayBegin = (reported.get(next.line) ?? []).some(
        (one) =>
          isAbout(one, before) && one.nextMs !== null && one.nextMs <= (claimedMs.get(next.claimId) ?? -Infinity),
      );
      return mayBegin ? [] : [`attempt ${next.attempt} at ${next.line} began before its time`];
    }),
  );
}
