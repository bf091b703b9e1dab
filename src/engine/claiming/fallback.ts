import { type FallbackChain, preferredFirst } from '#domain/fallback-chains.ts';
import { isExclusion } from '#domain/exclusions.ts';
import {
  acceptedOver,
  continuesOver,
  isAboutAnotherChannel,
  isOfMessage,
  mayHaveArrivedOver,
  noAnswer,
  type Reason,
  reasonOf,
} from '#domain/ledger-reasons.ts';
import { isSkipByList } from '#domain/may-be-sent.ts';
import { nextChannelIn } from '#domain/reason-values.ts';
import type { Target } from '#domain/recipients.ts';
import { type Fallback, isFinal, ledgerKey, type LedgerRow } from '#engine/run/live-delivery.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import { lifetimeMs } from '#domain/lifetime.ts';
import type { ClaimDecision, ClosedRow } from '#engine/run/claim-decision.ts';

/** How long a channel is tried at most while another one follows. */
const maxChannelMs = 30 * 60_000;

/**
 * Narrows fallback chains to what is to be done now: one channel for each recipient. Only the ledger records how far
 * each recipient has come, so a lost worker loses nothing: the claim after a failure writes the next channel's row. A
 * message that arrived over one channel, may have arrived, was not to be sent, or lacks a value is not tried over another, unless a provider reports
 * later that it failed; but one of a required topic is where the suppression list forbids this channel alone.
 */
export function narrowToFallback(
  run: JobRun,
  {
    chains,
    ledger,
    claim,
    nowMs,
  }: { chains: readonly FallbackChain[]; ledger: readonly LedgerRow[]; claim: ClaimDecision; nowMs: number },
): { targets: Target[]; ledger: LedgerRow[] } {
  const rowOf = new Map(ledger.map((row) => [ledgerKey(row), row]));
  const chained = new Set(chains.flat().map(ledgerKey));
  const narrowed = { targets: new Array<Target>(), ledger: ledger.filter((row) => !chained.has(ledgerKey(row))) };
  const fallbacks = new Map<string, Fallback>();
  for (const chain of chains) {
    // Only then does the person need a channel again that was not needed. Otherwise they have the message, also where its address is no longer theirs.
    const hasFailedLate = chain.some((target) => rowOf.get(ledgerKey(target))?.has_failed_late === true);
    const isSpare = (row: LedgerRow) => hasFailedLate && isUnneeded(row);
    const candidates = usable(run, { chain, rowOf, isSpare });
    const rows = candidates.map((target) => forbidden(run, { target, row: rowOf.get(ledgerKey(target)), claim }));
    const at = positionIn(rows, { isOver: run.isOver(nowMs), isRequired: run.isRequired, isSpare });
    const [target, found, next] = [candidates[at], rows[at], candidates[at + 1]];
    if (target === undefined) continue;
    const row = found !== undefined && isSpare(found) ? reopen(run, { row: found, claim }) : found;
    const before = rows[at - 1];
    const isSaid = before !== undefined && nextChannelIn(before.reason_params) === target.channel;
    if (before?.has_failed_late === true && !isSaid && target.problem === null && !isEnded(row))
      claim.continued.push(continuedOver(run, { row: before, next: target.channel }));
    narrowed.targets.push(isAhead(candidates, { at, row, chain }) ? { ...target, by_preference: true } : target);
    if (row !== undefined) narrowed.ledger.push(row);
    if (isEnded(row)) closeOthers(run, { rows, end: row, closed: claim.closed });
    else if (next !== undefined)
      fallbacks.set(ledgerKey(target), {
        next: next.channel,
        untilMs: channelDeadlineMs(run, { row, left: candidates.length - at, nowMs }),
        hasSpare: rows.slice(at + 1).some((other) => other !== undefined),
      });
  }
  run.useFallbacks(fallbacks);
  return narrowed;
}

/** Whether the target is begun with because the person prefers it, before the one that the reminder would begin with. */
const isAhead = (
  candidates: FallbackChain,
  { at, row, chain }: { at: number; row: LedgerRow | undefined; chain: FallbackChain },
): boolean =>
  at === 0 &&
  row === undefined &&
  candidates[0].is_preferred === true &&
  chain.find((target) => candidates.includes(target)) !== candidates[0];

/**
 * Skips channels that are off or not in the dispatch, unless there is no other. The one that the person prefers comes first, except that a preference may
 * change while channels are tried: what has ended stays before what is open, and that before what was not tried. What a manual retry opened although it was
 * reported as failed comes last: sending the same again helps less than what was not tried.
 */
function usable(
  run: JobRun,
  {
    chain,
    rowOf,
    isSpare,
  }: { chain: FallbackChain; rowOf: ReadonlyMap<string, LedgerRow>; isSpare: (row: LedgerRow) => boolean },
): FallbackChain {
  const problemOf = ({ channel }: Target) => {
    const [route] = run.routes(channel);
    return 'problem' in route ? route : null;
  };
  const ordered = preferredFirst(chain, (target) => target.problem === null && problemOf(target) === null);
  const stageOf = (target: Target): 'ended' | 'open' | 'untried' | 'again' => {
    const row = rowOf.get(ledgerKey(target));
    if (row === undefined || isSpare(row)) return 'untried';
    if (isFinal(row.status)) return 'ended';
    return row.has_failed_late ? 'again' : 'open';
  };
  const { ended = [], open = [], untried = [], again = [] } = Object.groupBy(ordered, stageOf);
  const [first, ...others] = [
    ...ended,
    ...open,
    ...untried.filter((target) => isSendable(target, run) && problemOf(target)?.isOff !== true),
    ...again,
  ];
  return first === undefined ? [chain[0]] : [first, ...others];
}

/**
 * Whoever does not want an optional message on one channel is not sent it over the next one, and nobody is who is not to get it. A required one goes on.
 */
const isSendable = ({ problem }: Target, { isRequired }: JobRun) =>
  problem === null || (isSkipByList(problem.code) && !isRequired) || isExclusion(problem.code);

/** The index of the current row: one that ended other than by failing, else the first one that has not failed, else the last failure. */
function positionIn(
  rows: readonly (LedgerRow | undefined)[],
  { isOver, isRequired, isSpare }: { isOver: boolean; isRequired: boolean; isSpare: (row: LedgerRow) => boolean },
): number {
  const isPassed = (row: LedgerRow | undefined) => isEnded(row) && isToContinue(row, { isRequired });
  const ended = rows.findIndex((row) => isEnded(row) && !isPassed(row) && !isSpare(row));
  if (ended !== -1) return ended;
  const failed = rows.findLastIndex(isPassed);
  const next = rows.findIndex((row) =>
    isOver ? row !== undefined && !isFinal(row.status) : !isEnded(row) || isSpare(row),
  );
  return next === -1 ? Math.max(failed, 0) : next;
}

const isEnded = (row: LedgerRow | undefined): row is LedgerRow => row !== undefined && isFinal(row.status);

/** Whether the row was not needed, because another channel had the message. */
const isUnneeded = ({ status, reason_code: code }: LedgerRow) =>
  status === 'skipped' && code !== null && isAboutAnotherChannel(code);

/** Whether the next channel is tried: a cause in the message is the same over every channel. */
const isToContinue = ({ status, reason_code: code }: LedgerRow, { isRequired }: { isRequired: boolean }) =>
  (status === 'failed' && (code === null || !isOfMessage(code))) ||
  (status === 'skipped' && code === 'suppressed' && isRequired);

/** The row, ended where the suppression list forbids its channel by now and the message goes on to the next one. */
function forbidden(
  run: JobRun,
  { target: { problem }, row, claim }: { target: Target; row: LedgerRow | undefined; claim: ClaimDecision },
): LedgerRow | undefined {
  if (row === undefined || isFinal(row.status) || !run.isRequired || problem?.code !== 'suppressed') return row;
  // Its outcome is not known, and may be that the message has arrived. The rescuer settles it.
  if (row.status === 'sending') return row;
  const { channel, recipient } = row;
  const uncertain = row.unknowns > 0 ? reasonOf(row) : null;
  const status = uncertain === null ? 'skipped' : 'unknown';
  const { code, reason } = uncertain ?? problem;
  claim.closed.push({ job: run.job, channel, recipient, status, ...(uncertain ?? problem) });
  return { ...row, status, reason, reason_code: code };
}

function reopen(run: JobRun, { row, claim }: { row: LedgerRow; claim: ClaimDecision }): LedgerRow {
  const { channel, recipient } = row;
  claim.reopened.push({ job: run.job, channel, recipient });
  const anew = {
    attempts: 0,
    unknowns: 0,
    next_attempt_at: null,
    reason: null,
    reason_code: null,
    reason_params: null,
  };
  return { ...row, ...anew, status: 'queued' };
}

/** A row that failed late, when its outcome was recorded already, says what follows only now. */
function continuedOver(
  run: JobRun,
  { row, next }: { row: LedgerRow; next: Target['channel'] },
): ClaimDecision['continued'][number] {
  const { channel, recipient } = row;
  return { job: run.job, channel, recipient, ...continuesOver(reasonOf(row) ?? noAnswer, next) };
}

function closeOthers(
  run: JobRun,
  { rows, end, closed }: { rows: readonly (LedgerRow | undefined)[]; end: LedgerRow; closed: ClosedRow[] },
): void {
  for (const row of rows) {
    if (row === undefined || isFinal(row.status)) continue;
    const { channel, recipient } = row;
    const uncertain = row.unknowns > 0 ? reasonOf(row) : null;
    const status = uncertain === null ? 'skipped' : 'unknown';
    closed.push({ job: run.job, channel, recipient, status, ...(uncertain ?? reasonAfter(end)) });
  }
}

function reasonAfter(end: LedgerRow): Reason {
  const { status, channel } = end;
  const unsent = status === 'skipped' || status === 'failed' ? reasonOf(end) : null;
  if (unsent !== null) return unsent;
  return status === 'unknown' ? mayHaveArrivedOver(channel) : acceptedOver(channel);
}

/**
 * The earlier of half an hour after the first attempt (or the run's start) and this channel's share of the time left.
 */
function channelDeadlineMs(
  { job, startedAtMs, expiresAtMs }: JobRun,
  { row, left, nowMs }: { row: LedgerRow | undefined; left: number; nowMs: number },
): number {
  const text = row === undefined ? null : (row.first_attempt_at ?? job.begun_at);
  const beganMs = text === null ? startedAtMs : Date.parse(text);
  // A manual retry counts from the retry.
  const fromMs = job.expires_at === null ? beganMs : Math.max(beganMs, Date.parse(job.expires_at) - lifetimeMs);
  const shareMs = (expiresAtMs - nowMs) / left;
  return Math.floor(Math.min(fromMs + maxChannelMs, nowMs + shareMs));
}
