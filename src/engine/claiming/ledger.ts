import {
  expiredBeforeRetry,
  hasExpired,
  noAnswer,
  noLongerRecipient,
  type Reason,
  reasonOf,
} from '#domain/ledger-reasons.ts';
import type { Target } from '#domain/recipients.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import { isFinal, ledgerKey, type LedgerRow } from '#engine/run/live-delivery.ts';
import type { ClosedRow, DeferredRow } from '#engine/run/claim-decision.ts';

/**
 * Takes over what earlier runs of the job left. Final rows are counted, due rows are queued, later rows keep waiting.
 * Open rows end here for recipients who are no longer targets (with a refusal: for all) and, as expired, once the
 * occurrence's time is over. Returns the keys that the ledger has.
 */
export function takeOverLedger(
  run: JobRun,
  {
    ledger,
    targets,
    refusal,
    closed,
    deferred,
    nowMs,
  }: {
    ledger: readonly LedgerRow[];
    targets: readonly Target[];
    refusal: Reason | null;
    closed: ClosedRow[];
    deferred: DeferredRow[];
    nowMs: number;
  },
): ReadonlySet<string> {
  if (ledger.length === 0) return nobody;
  const wanted = new Map(targets.map((target) => [ledgerKey(target), target]));
  const isOver = run.isOver(nowMs);
  for (const row of ledger) {
    const target = wanted.get(ledgerKey(row));
    const deferral = isDue(row, nowMs) ? run.deferralOf(row, nowMs) : null;
    const isPast = isOver || (deferral !== null && run.isOver(deferral.atMs));
    const end = isFinal(row.status) ? null : endOf(row, { target, refusal, isOver: isPast });
    const { channel, recipient } = row;
    if (end !== null) closed.push({ job: run.job, channel, recipient, ...end });
    else if (deferral !== null) {
      const { code, reason } = deferral;
      const at = Temporal.Instant.fromEpochMilliseconds(deferral.atMs).toString();
      deferred.push({ job: run.job, channel, recipient, at, code, reason });
      const kept = row.attempts > 0 ? reasonOf(row) : null;
      run.keepOpen({ unknowns: row.unknowns, reason: kept ?? { code, reason } });
      run.nextAttemptBy(deferral.atMs);
      continue;
    }
    if (end === null) takeOver(run, row, nowMs);
    else run.countClosed({ channel, status: end.status, reason: end.reason, reason_code: end.code });
  }
  return new Set(ledger.map(ledgerKey));
}

const isDue = ({ status, next_attempt_at: at }: LedgerRow, nowMs: number) =>
  !isFinal(status) && (at === null || Date.parse(at) <= nowMs);

const nobody: ReadonlySet<string> = new Set();

type End = Pick<ClosedRow, 'status' | 'code' | 'reason' | 'params'>;

/**
 * Returns how an open row ends unsent; null when it stays open. An earlier attempt that may have arrived makes it
 * unknown.
 */
function endOf(row: LedgerRow, to: Parameters<typeof endOfUnsent>[1]): End | null {
  const end = endOfUnsent(row, to);
  return end === null || row.unknowns === 0 ? end : { ...end, ...reasonOf(row), status: 'unknown' };
}

/** A delivery whose attempts failed ends as failed once its time is over. */
function endOfUnsent(
  row: LedgerRow,
  { target, refusal, isOver }: { target: Target | undefined; refusal: Reason | null; isOver: boolean },
): End | null {
  if (refusal !== null) return { status: 'skipped', ...refusal };
  if (target === undefined) return { status: 'skipped', ...noLongerRecipient };
  if (target.problem !== null) return { status: 'skipped', ...target.problem };
  if (!isOver) return null;
  return row.attempts === 0
    ? { status: 'skipped', ...hasExpired }
    : { status: 'failed', ...expiredBeforeRetry(reasonOf(row) ?? noAnswer) };
}

function takeOver(run: JobRun, row: LedgerRow, nowMs: number): void {
  if (isFinal(row.status)) return run.countEnded(row);
  run.keepOpen({ unknowns: row.unknowns, reason: reasonOf(row) });
  const nextMs = row.next_attempt_at === null ? nowMs : Date.parse(row.next_attempt_at);
  if (nextMs > nowMs) return run.nextAttemptBy(nextMs);
  const { id, channel, recipient, recipient_name, attempts, unknowns } = row;
  run.queue({ id, channel, recipient, recipient_name, attempts, unknowns });
}
