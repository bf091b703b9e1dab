import {
  type Begun,
  begunIn,
  isAbout,
  isSameAttempt,
  type Sent,
  sentIn,
  type ReportedOutcome,
  reportedIn,
} from '#simulation/attempts.ts';
import { actsIn, type Evidence, eventsOf, lateFailuresIn, lineOf } from '#simulation/evidence.ts';

/** Compares the requests that were sent with what the database recorded before and after them. */
export function checkAttempts(evidence: Evidence): string[] {
  const begun = begunIn(evidence);
  const reported = Map.groupBy(reportedIn(evidence), ({ line }) => line);
  const sent = sentIn(evidence, begun);
  const failed = lateFailuresIn(evidence.events);
  return [
    ...Map.groupBy(begun, ({ line }) => line)
      .values()
      .flatMap((ofLine) => sequenceFaults(ofLine, reported)),
    ...sent.flatMap(sendFaults),
    ...twiceFaults(sent),
    ...Map.groupBy(sent, ({ line }) => line)
      .values()
      .flatMap((ofLine) => duplicateFaults(ofLine, { reported, failed })),
    ...ledgerFaults(evidence, { sent, reported, failed }),
    ...forgottenFaults(evidence),
  ];
}

/**
 * An attempt begins after the one before has an outcome; or it is the same one, repeated by a worker that did not learn
 * that it had begun.
 */
function sequenceFaults(ofLine: readonly Begun[], reported: ReadonlyMap<string, readonly ReportedOutcome[]>): string[] {
  return ofLine.slice(1).flatMap((next, at) => {
    const before = ofLine[at];
    if (before === undefined) return [];
    const isSettled = reported.get(next.line)?.some((one) => isAbout(one, before) && one.since.order < next.done.order);
    return isSameAttempt(before, next) || isSettled === true
      ? []
      : [`attempt ${next.attempt} at ${next.line} began before attempt ${before.attempt} had an outcome`];
  });
}

function sendFaults({ request, begun, line }: Sent): string[] {
  const { attempt } = request.request;
  if (begun === null) return [`${line} was sent to without a recorded attempt`];
  return attempt === null || attempt === begun.attempt
    ? []
    : [`${line} was sent attempt ${attempt}, but ${begun.attempt} is recorded`];
}

/** One request per attempt, with the same delivery id in all of them. */
function twiceFaults(sent: readonly Sent[]): string[] {
  const ofAttempt = Map.groupBy(sent, ({ begun }) => begun);
  const twice = [...ofAttempt].flatMap(([begun, requests]) =>
    begun !== null && requests.length > 1
      ? [`attempt ${begun.attempt} at ${begun.line} was sent ${requests.length} times`]
      : [],
  );
  const ids = Map.groupBy(sent, ({ line }) => line).entries();
  const renamed = ids
    .filter(([, requests]) => new Set(requests.map(({ request }) => request.request.deliveryId)).size > 1)
    .map(([line]) => `${line} was sent to under two delivery ids`);
  return [...twice, ...renamed];
}

/**
 * A receiver that accepted a message gets another one only if, before that began, the outcome was recorded as unknown, or a report has failed the message.
 * In the order in which the attempts began: a worker that was frozen may send the earlier one later.
 */
function duplicateFaults(
  ofLine: readonly Sent[],
  {
    reported,
    failed,
  }: { reported: ReadonlyMap<string, readonly ReportedOutcome[]>; failed: ReturnType<typeof lateFailuresIn> },
): string[] {
  const attempts = ofLine
    .flatMap(({ begun, request }) => (begun === null ? [] : [{ begun, isAccepted: request.result.isAccepted }]))
    .sort((a, b) => a.begun.done.order - b.begun.done.order);
  return attempts.flatMap(({ begun: later }, at) => {
    const knowingly = attempts.slice(0, at).filter(({ begun, isAccepted }) => {
      const unknowns = (reported.get(begun.line) ?? []).filter((one) => one.isUnknown && isAbout(one, begun));
      const hasFailed = (failed.get(begun.line) ?? []).some((one) => one.since.order < later.done.order);
      return isAccepted && !hasFailed && !unknowns.some((one) => one.since.order < later.done.order);
    });
    return knowingly.length > 0 ? [`${later.line} was sent to again after it had accepted`] : [];
  });
}

/**
 * Accepted messages are in the ledger as accepted, or as unknown when the answer was lost. Nothing else is accepted.
 */
function ledgerFaults(
  { rows }: Evidence,
  {
    sent,
    reported,
    failed,
  }: {
    sent: readonly Sent[];
    reported: ReadonlyMap<string, readonly ReportedOutcome[]>;
    failed: ReturnType<typeof lateFailuresIn>;
  },
): string[] {
  const ledger = new Map(rows.deliveries.map((row) => [lineOf({ ...row, jobId: row.job_id }), row]));
  const accepted = sent.filter(({ request }) => request.result.isAccepted);
  const lost = accepted.filter(({ line, begun }) => {
    if (ledger.get(line)?.status === 'accepted' || failed.has(line)) return false;
    return begun === null || !reported.get(line)?.some((one) => one.isUnknown && isAbout(one, begun));
  });
  const served = new Set(accepted.map(({ line }) => line));
  const invented = [...ledger].filter(([line, row]) => row.status === 'accepted' && !served.has(line));
  return [
    ...lost.map(({ line }) => `${line} has accepted, the ledger says ${ledger.get(line)?.status ?? 'nothing'}`),
    ...invented.map(([line]) => `${line} is accepted in the ledger, but was never accepted`),
  ];
}

/** An attempt that a rescuer called unknown counts as unknown in the ledger, unless a manual retry reset it. */
function forgottenFaults({ events, rows }: Evidence): string[] {
  const ledger = new Map(rows.deliveries.map((row) => [lineOf({ ...row, jobId: row.job_id }), row]));
  const retried = new Map(
    actsIn(events).flatMap(({ act, order }) =>
      act.kind === 'job' && act.action === 'retry' ? [[act.jobId, order] as const] : [],
    ),
  );
  return eventsOf(events, 'rescue').flatMap(({ lost, order }) =>
    lost.flatMap(({ attempt: { job_id: jobId, channel, recipient } }) => {
      const line = lineOf({ jobId, channel, recipient });
      const isForgotten = ledger.get(line)?.unknowns === 0 && (retried.get(jobId) ?? 0) < order;
      return isForgotten ? [`${line} may have arrived, and the ledger does not say so`] : [];
    }),
  );
}
