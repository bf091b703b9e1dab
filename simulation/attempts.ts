import type { Settled } from '#domain/settle.ts';
import { type Evidence, eventsOf, lineOf } from '#simulation/evidence.ts';
import type { Call, EventOf, Moment } from '#simulation/history.ts';

/** One attempt that the database has recorded as begun, with the claim or later. */
export type Begun = {
  line: string;
  jobId: string;
  workspaceId: string;
  channel: string;
  recipient: string;
  attempt: number;
  claimId: string;
  call: Call;
  /** When it was certainly recorded. */
  done: Moment;
};

/**
 * The outcome of an attempt as reported to the database; `nextMs` is when the next one may begin, null when there is
 * none.
 */
export type ReportedOutcome = {
  line: string;
  attempt: number;
  isUnknown: boolean;
  nextMs: number | null;
  since: Moment;
  done: Moment;
};

/** A request that left a worker, with the attempt that it belongs to; null when there is none. */
export type Sent = { request: EventOf<'request'>; begun: Begun | null; line: string };

export function begunIn({ events }: Evidence): Begun[] {
  const withClaims = eventsOf(events, 'claim').flatMap((event) =>
    event.claim.started.flatMap(({ run: { job }, begun }) =>
      begun.map(({ channel, recipient, attempts }) =>
        asBegun(event, {
          jobId: job.id,
          workspaceId: job.workspace_id,
          claimId: event.claim.id,
          channel,
          recipient,
          attempts,
        }),
      ),
    ),
  );
  const later = eventsOf(events, 'begin').flatMap((event) =>
    event.begun.map((one) =>
      asBegun(event, { ...one, jobId: event.job.id, workspaceId: event.job.workspaceId, claimId: event.job.claimId }),
    ),
  );
  return [...withClaims, ...later].sort((a, b) => a.done.order - b.done.order);
}

const asBegun = (
  event: EventOf<'claim' | 'begin'>,
  { attempts, ...of }: Omit<Begun, 'line' | 'attempt' | 'call' | 'done'> & { attempts: number },
): Begun => ({ ...of, line: lineOf(of), attempt: attempts, call: event.call, done: event });

export function reportedIn({ events }: Evidence): ReportedOutcome[] {
  const recorded = eventsOf(events, 'record').flatMap((event) =>
    event.batch.outcomes.map(({ job, delivery, settled }) =>
      asReported(event, { ...delivery, jobId: job.id, settled }),
    ),
  );
  const rescued = eventsOf(events, 'rescue').flatMap((event) =>
    event.lost.map(({ attempt, settled }) => asReported(event, { ...attempt, jobId: attempt.job_id, settled })),
  );
  return [...recorded, ...rescued];
}

const asReported = (
  event: EventOf<'record' | 'rescue'>,
  of: { jobId: string; channel: string; recipient: string; attempts: number; settled: Settled },
): ReportedOutcome => ({
  line: lineOf(of),
  attempt: of.attempts,
  isUnknown: of.settled.isUnknown,
  nextMs: of.settled.nextAttemptAt?.epochMilliseconds ?? null,
  since: event.call.since,
  done: event,
});

export const isAbout = (one: ReportedOutcome, begun: Begun): boolean =>
  one.attempt === begun.attempt && one.done.order > begun.call.since.order;

/** Repeated by a worker that did not learn that the attempt had begun. */
export const isSameAttempt = (before: Begun, next: Begun): boolean =>
  before.claimId === next.claimId && before.attempt === next.attempt && before.call.answered === null;

/** Every message contains its delivery id. The id was assigned when the recipient first appeared. */
export function sentIn(evidence: Evidence, begun: readonly Begun[]): Sent[] {
  const lines = linesOfDeliveries(evidence);
  const ofLine = Map.groupBy(begun, (one) => one.line);
  return eventsOf(evidence.events, 'request').map((request) => {
    const line = lines.get(request.request.deliveryId) ?? `unknown delivery ${request.request.deliveryId}`;
    const own = (ofLine.get(line) ?? []).filter(
      ({ call }) =>
        call.worker === request.worker && call.answered !== null && call.answered.order < request.asked.order,
    );
    return { request, line, begun: own.at(-1) ?? null };
  });
}

function linesOfDeliveries({ events }: Evidence): Map<string, string> {
  const found = new Map<string, string>();
  for (const { claim } of eventsOf(events, 'claim')) {
    for (const { run, begun } of claim.started)
      for (const one of begun) found.set(one.id, lineOf({ ...one, jobId: run.job.id }));
    for (const row of claim.rows) found.set(row.id, lineOf({ ...row, jobId: row.job.id }));
  }
  return found;
}
