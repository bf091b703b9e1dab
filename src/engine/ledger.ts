import { recipientKey, type Target } from '#domain/recipients.ts';
import { isFinal, type Run } from '#engine/run.ts';
import type { ClosedRow, DeferredRow } from '#engine/claimed.ts';
import type { LedgerRow } from '#engine/store.ts';

/** The identity of a recipient on a channel, however the address is spelled. */
export const ledgerKey = (row: { channel: string; recipient: string }) =>
  `${row.channel} ${recipientKey(row.recipient)}`;

export const expiredText = 'Expired before it could be sent';

/**
 * Takes over what earlier runs of the job left. Final rows are counted, due rows are queued, later rows keep waiting.
 * Open rows end here for recipients who are no longer targets (with a refusal: for all) and, as expired, once the
 * occurrence's time is over. Returns the keys that the ledger has.
 */
export function takeOverLedger(
  run: Run,
  {
    ledger,
    targets,
    refusal,
    closed,
    deferred,
    now,
  }: {
    ledger: readonly LedgerRow[];
    targets: readonly Target[];
    refusal: string | null;
    closed: ClosedRow[];
    deferred: DeferredRow[];
    now: Temporal.Instant;
  },
): ReadonlySet<string> {
  if (ledger.length === 0) return nobody;
  const wanted = new Map(targets.map((target) => [ledgerKey(target), target]));
  const isOver = Temporal.Instant.compare(now, run.expiresAt) >= 0;
  for (const row of ledger) {
    const target = wanted.get(ledgerKey(row));
    const deferral = run.hours !== null && isDue(row, now) ? run.hours.deferralOf(row, now) : null;
    const isPast = isOver || (deferral !== null && Temporal.Instant.compare(deferral.at, run.expiresAt) >= 0);
    const end = isFinal(row.status) ? null : endOf(row, { target, refusal, isOver: isPast });
    const { channel, recipient } = row;
    if (end !== null) closed.push({ job: run.job, channel, recipient, ...end });
    else if (deferral !== null) {
      const { reason } = deferral;
      deferred.push({ job: run.job, channel, recipient, at: deferral.at.toString(), reason });
      run.isUncertain ||= row.unknowns > 0;
      deferUntil(run, { ...deferral, reason: row.attempts > 0 ? (row.reason ?? reason) : reason });
      continue;
    }
    takeOver(run, end === null ? row : { ...row, ...end }, now);
  }
  return new Set(ledger.map(ledgerKey));
}

const isDue = ({ status, next_attempt_at: at }: LedgerRow, now: Temporal.Instant) =>
  !isFinal(status) && (at === null || Date.parse(at) <= now.epochMilliseconds);

const nobody: ReadonlySet<string> = new Set();

/**
 * Returns how an open row ends unsent; null when it stays open. An earlier attempt that may have arrived makes it
 * unknown.
 */
function endOf(row: LedgerRow, to: Parameters<typeof endOfUnsent>[1]): Pick<ClosedRow, 'status' | 'reason'> | null {
  const end = endOfUnsent(row, to);
  return end === null || row.unknowns === 0 ? end : { status: 'unknown', reason: row.reason ?? end.reason };
}

/** A delivery whose attempts failed ends as failed once its time is over. */
function endOfUnsent(
  row: LedgerRow,
  { target, refusal, isOver }: { target: Target | undefined; refusal: string | null; isOver: boolean },
): Pick<ClosedRow, 'status' | 'reason'> | null {
  if (refusal !== null) return { status: 'skipped', reason: refusal };
  if (target === undefined) return { status: 'skipped', reason: 'No longer among the recipients' };
  if (target.problem !== null) return { status: 'skipped', reason: target.problem };
  if (!isOver) return null;
  return row.attempts === 0
    ? { status: 'skipped', reason: expiredText }
    : { status: 'failed', reason: `${row.reason ?? 'No answer'} (expired before the next attempt)` };
}

function takeOver(run: Run, row: LedgerRow, now: Temporal.Instant): void {
  if (isFinal(row.status)) return countEnded(run, row);
  run.isUncertain ||= row.unknowns > 0;
  run.lastFailure ??= row.reason;
  const nextAttemptAt = row.next_attempt_at === null ? now : Temporal.Instant.from(row.next_attempt_at);
  if (Temporal.Instant.compare(nextAttemptAt, now) <= 0) {
    const { id, channel, recipient, recipient_name, attempts, unknowns } = row;
    run.overflow.push({ id, channel, recipient, recipient_name, attempts, unknowns });
  } else nextAttemptBy(run, nextAttemptAt);
}

/** Records that a recipient is deferred, and why, for the job's error message. */
export function deferUntil(run: Run, { at, reason }: { at: Temporal.Instant; reason: string }): void {
  run.lastFailure ??= reason;
  nextAttemptBy(run, at);
}

/** The job is claimed again at the earliest of these times. */
export function nextAttemptBy(run: Run, at: Temporal.Instant): void {
  if (run.nextAttemptAt === null || Temporal.Instant.compare(at, run.nextAttemptAt) < 0) run.nextAttemptAt = at;
}

/** Counts a row that ended, in an earlier run or by another process. */
export function countEnded(run: Run, { status, reason }: Pick<LedgerRow, 'status' | 'reason'>): void {
  run.tally[status] = (run.tally[status] ?? 0) + 1;
  if (status === 'skipped') run.lastSkip = reason;
  else if (status !== 'accepted' && status !== 'delivered') run.lastFailure = reason;
}
