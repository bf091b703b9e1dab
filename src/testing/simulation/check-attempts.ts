import {
  type Begun,
  begunIn,
  isAbout,
  isSameAttempt,
  type Sent,
  sentIn,
  type Told,
  toldIn,
} from '#testing/simulation/attempts.ts';
import { actsIn, type Evidence, eventsOf, lineOf } from '#testing/simulation/evidence.ts';

/** What was handed over, compared with what the database knew before and holds after. */
export function checkAttempts(evidence: Evidence): string[] {
  const begun = begunIn(evidence);
  const told = Map.groupBy(toldIn(evidence), ({ line }) => line);
  const sent = sentIn(evidence, begun);
  return [
    ...Map.groupBy(begun, ({ line }) => line)
      .values()
      .flatMap((ofLine) => sequenceFaults(ofLine, told)),
    ...sent.flatMap(handOverFaults),
    ...twiceFaults(sent),
    ...Map.groupBy(sent, ({ line }) => line)
      .values()
      .flatMap((ofLine) => duplicateFaults(ofLine, told)),
    ...ledgerFaults(evidence, { sent, told }),
    ...forgottenFaults(evidence),
  ];
}

/** An attempt begins when the one before has an outcome; or it is the same one, asked for again by who did not hear. */
function sequenceFaults(ofLine: readonly Begun[], told: ReadonlyMap<string, readonly Told[]>): string[] {
  return ofLine.slice(1).flatMap((next, at) => {
    const before = ofLine[at];
    if (before === undefined) return [];
    const isSettled = told.get(next.line)?.some((one) => isAbout(one, before) && one.since.order < next.done.order);
    return isSameAttempt(before, next) || isSettled === true
      ? []
      : [`attempt ${next.attempt} at ${next.line} began before attempt ${before.attempt} had an outcome`];
  });
}

function handOverFaults({ request, begun, line }: Sent): string[] {
  const { attempt } = request.request;
  if (begun === null) return [`${line} was sent to without an attempt on record`];
  return attempt === null || attempt === begun.attempt
    ? []
    : [`${line} was sent attempt ${attempt}, on record is ${begun.attempt}`];
}

/** One request for each attempt, and the same delivery id in all of them. */
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
 * Whoever accepts a message gets another one only where it was on record, before that began, that this cannot be known. In
 * the order in which they began: a worker that was frozen may send the earlier one later.
 */
function duplicateFaults(ofLine: readonly Sent[], told: ReadonlyMap<string, readonly Told[]>): string[] {
  const attempts = ofLine
    .flatMap(({ begun, request }) => (begun === null ? [] : [{ begun, isAccepted: request.fate.isAccepted }]))
    .sort((a, b) => a.begun.done.order - b.begun.done.order);
  return attempts.flatMap(({ begun: later }, at) => {
    const knowingly = attempts.slice(0, at).filter(({ begun, isAccepted }) => {
      const unknowns = (told.get(begun.line) ?? []).filter((one) => one.isUnknown && isAbout(one, begun));
      return isAccepted && !unknowns.some((one) => one.since.order < later.done.order);
    });
    return knowingly.length > 0 ? [`${later.line} was sent to again after it had accepted`] : [];
  });
}

/** What was accepted is in the ledger: as that, or as unknown where nobody heard of it. And nothing else is. */
function ledgerFaults(
  { rows }: Evidence,
  { sent, told }: { sent: readonly Sent[]; told: ReadonlyMap<string, readonly Told[]> },
): string[] {
  const ledger = new Map(rows.deliveries.map((row) => [lineOf({ ...row, jobId: row.job_id }), row]));
  const accepted = sent.filter(({ request }) => request.fate.isAccepted);
  const lost = accepted.filter(({ line, begun }) => {
    if (ledger.get(line)?.status === 'accepted') return false;
    return begun === null || !told.get(line)?.some((one) => one.isUnknown && isAbout(one, begun));
  });
  const served = new Set(accepted.map(({ line }) => line));
  const invented = [...ledger].filter(([line, row]) => row.status === 'accepted' && !served.has(line));
  return [
    ...lost.map(({ line }) => `${line} has accepted, the ledger says ${ledger.get(line)?.status ?? 'nothing'}`),
    ...invented.map(([line]) => `${line} is accepted in the ledger, and never was`),
  ];
}

/** What a rescuer called unknown counts as that in the ledger, as long as no person has everything tried anew. */
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
