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
import {
  isFallingBackAfter,
  isSkipForRecipient,
  reasonOfSkip,
  reasonWhereLast,
  type SkipCode,
} from '#domain/may-be-sent.ts';
import { nextChannelIn } from '#domain/reason-values.ts';
import type { Target } from '#domain/recipients.ts';
import { deliveryIdOf, type Fallback, isFinal, ledgerKey, type LedgerRow } from '#engine/run/live-delivery.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import type { ReasonCode } from '#contract/reason-codes.ts';
import { lifetimeMs } from '#domain/lifetime.ts';
import type { ClaimDecision, ClosedRow } from '#engine/run/claim-decision.ts';

/** How long a channel is tried at most while another one follows. */
const maxChannelMs = 30 * 60_000;

/**
 * Narrows fallback chains to what is to be done now: one channel for each recipient. Only the ledger records how far
 * each recipient has come, so a lost worker loses nothing: the claim after a failure writes the next channel's row. A
 * message that arrived over one channel, may have arrived, was not to be sent, or lacks a value is not tried over another, unless a provider reports
 * later that it failed; but one of a required topic is where the suppression list forbids this channel alone, and any where a consent to it is lacking.
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
    const known = candidates.map((target) => rowOf.get(ledgerKey(target)));
    const isOver = run.isOver(nowMs);
    const rows = candidates.map((target, i) => forbidden(run, { target, row: known[i], isOver }));
    const at = positionIn(rows, { isOver, isRequired: run.isRequired, isSpare });
    const [target, next] = [candidates[at], candidates[at + 1]];
    if (target === undefined) continue;
    sayForbidden(run, { candidates, known, rows, at, claim });
    const found = known[at] === undefined ? undefined : rows[at];
    const row = found !== undefined && isSpare(found) ? reopen(run, { row: found, claim }) : found;
    const before = rows[at - 1];
    const isSaid = before !== undefined && nextChannelIn(before.reason_params) === target.channel;
    if (before?.has_failed_late === true && !isSaid && target.problem === null && !isEnded(row))
      claim.continued.push(continuedOver(run, { row: before, next: target.channel }));
    narrowed.targets.push(isAhead(candidates, { at, row, chain }) ? { ...target, by_preference: true } : target);
    if (row !== undefined) narrowed.ledger.push(row);
    if (isEnded(row)) closeOthers(run, { rows, end: row, closed: claim.closed });
    else if (next !== undefined) {
      const left = 1 + rows.slice(at + 1).filter((other) => !isEnded(other) || isSpare(other)).length;
      fallbacks.set(ledgerKey(target), {
        next: next.channel,
        // Where the list forbids all that follow, there is nothing to save time for.
        untilMs: left === 1 ? run.expiresAtMs : channelDeadlineMs(run, { row, left, nowMs }),
        hasSpare: known.slice(at + 1).some((other) => other !== undefined),
      });
    }
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
    ...untried.filter((target) => isSendable(target) && problemOf(target)?.isOff !== true),
    ...again,
  ];
  return first === undefined ? [chain[0]] : [first, ...others];
}

/** Whoever does not want a message on one channel, or is not to get it, gets a row that says so. */
const isSendable = ({ problem }: Target) =>
  problem === null || isSkipForRecipient(problem.code) || isExclusion(problem.code);

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
  (status === 'skipped' && code !== null && isFallingBackAfter(code, { isRequired }));

/**
 * The row of a channel that is passed over, ended also where the ledger has none yet: the list forbids a message that nobody can leave, or no consent is on
 * record. The message goes on to the next channel.
 */
function forbidden(
  run: JobRun,
  { target, row, isOver }: { target: Target; row: LedgerRow | undefined; isOver: boolean },
): LedgerRow | undefined {
  const passed = passedOver(run, target.problem?.code ?? null);
  if (passed === null) return row;
  if (row === undefined) return isOver ? undefined : skippedRow(run, { target, passed });
  // Of what is being sent the outcome is not known, and may be that the message has arrived. The rescuer settles it.
  if (isFinal(row.status) || row.status === 'sending') return row;
  const uncertain = row.unknowns > 0 ? reasonOf(row) : null;
  const { code, reason } = uncertain ?? reasonOfSkip(passed, target.channel);
  return { ...row, status: uncertain === null ? 'skipped' : 'unknown', reason, reason_code: code, reason_params: null };
}

/** The code for which a message goes on to the next channel; null where it does not. */
const passedOver = ({ isRequired }: JobRun, code: ReasonCode | null): SkipCode | null =>
  code !== null && isSkipForRecipient(code) && isFallingBackAfter(code, { isRequired }) ? code : null;

function skippedRow(
  { job, scheduledForMs }: JobRun,
  { target, passed }: { target: Target; passed: SkipCode },
): LedgerRow {
  const { channel, recipient, recipient_name, contact_id = null, through = null } = target;
  const { code, reason } = reasonOfSkip(passed, channel);
  return {
    id: deliveryIdOf({ id: job.id, scheduledForMs }, target),
    job_id: job.id,
    channel,
    recipient,
    recipient_name,
    status: 'skipped',
    attempts: 0,
    unknowns: 0,
    first_attempt_at: null,
    next_attempt_at: null,
    reason,
    reason_code: code,
    reason_params: null,
    contact_id,
    through,
    has_failed_late: false,
  };
}

/** Writes for each channel that is passed over what follows: over which one the message continues, or that none is left. */
function sayForbidden(
  run: JobRun,
  {
    candidates,
    known,
    rows,
    at,
    claim,
  }: {
    candidates: readonly Target[];
    known: readonly (LedgerRow | undefined)[];
    rows: readonly (LedgerRow | undefined)[];
    at: number;
    claim: ClaimDecision;
  },
): void {
  const { job } = run;
  for (const [i, row] of rows.entries()) {
    const [target, was] = [candidates[i], known[i]];
    if (row === undefined || target === undefined) continue;
    const { channel, recipient, recipient_name, contact_id, through } = row;
    const next = i < at ? candidates[i + 1] : undefined;
    const code = row.status === 'skipped' ? passedOver(run, row.reason_code) : null;
    const said = code === null ? null : saidWherePassed(run, { code, channel, next, isLast: i === at });
    const reason = said ?? reasonOf(row) ?? noAnswer;
    if (was === undefined) {
      // The row of the last one is written as that of each target that cannot be sent to.
      if (i === at) target.problem = said;
      if (i >= at) continue;
      run.markInLedger();
      const rest = { next_attempt_at: null, contact_id, through, by_preference: false };
      claim.rows.push({ id: row.id, job, channel, recipient, recipient_name, status: 'skipped', reason, ...rest });
    } else if (!isFinal(was.status) && isClosed(row)) {
      claim.closed.push({ job, channel, recipient, status: row.status, ...reason });
    } else if (said !== null && i <= at && row.reason !== said.reason) {
      claim.continued.push({ job, channel, recipient, ...said });
    }
    if (said !== null) Object.assign(row, { reason: said.reason, reason_params: said.params ?? null });
  }
}

function saidWherePassed(
  { isRequired }: JobRun,
  {
    code,
    channel,
    next,
    isLast,
  }: { code: SkipCode; channel: Target['channel']; next: Target | undefined; isLast: boolean },
): Reason {
  if (next !== undefined) return continuesOver(reasonOfSkip(code, channel), next.channel);
  return isLast ? reasonWhereLast(code, { channel, isRequired }) : reasonOfSkip(code, channel);
}

const isClosed = (row: LedgerRow): row is LedgerRow & Pick<ClosedRow, 'status'> =>
  row.status === 'skipped' || row.status === 'unknown';

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
