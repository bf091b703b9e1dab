import { type Begun, begunIn, isAbout, isSameAttempt, toldIn } from '#testing/simulation/attempts.ts';
import { actsIn, type Evidence, eventsOf } from '#testing/simulation/evidence.ts';
import { isoOf } from '#testing/simulation/tables.ts';

/** Nothing goes out before its time, neither an occurrence nor a repeat, unless a person has asked for it to be tried now. */
export function checkTimes(evidence: Evidence): string[] {
  return [...earlyOccurrences(evidence), ...earlyRepeats(evidence)];
}

function earlyOccurrences({ events }: Evidence): string[] {
  return eventsOf(events, 'claim').flatMap(({ claim, request }) =>
    claim.started
      .filter(({ run: { job } }) => job.attempts === 1 && job.expires_at === null)
      .filter(({ run: { job } }) => Date.parse(job.scheduled_for) > request.now.epochMilliseconds)
      .map(({ run: { job } }) => `${job.id} was begun before its time, at ${isoOf(request.now)}`),
  );
}

/** By the clock of whoever took the job: what was due then may begin. */
function earlyRepeats(evidence: Evidence): string[] {
  const { events } = evidence;
  const told = Map.groupBy(toldIn(evidence), ({ line }) => line);
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
      const mayBegin = (told.get(next.line) ?? []).some(
        (one) =>
          isAbout(one, before) && one.nextMs !== null && one.nextMs <= (claimedMs.get(next.claimId) ?? -Infinity),
      );
      return mayBegin ? [] : [`attempt ${next.attempt} at ${next.line} began before its time`];
    }),
  );
}
