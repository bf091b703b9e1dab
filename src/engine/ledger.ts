import { recipientKey, type Target } from '#domain/recipients.ts';
import { isFinal, type Run } from '#engine/run.ts';
import type { ClosedRow, PostponedRow } from '#engine/claimed.ts';
import type { LedgerRow } from '#engine/store.ts';

/** Who is the same recipient on the same channel, however the address is written. */
export const ledgerKey = (row: { channel: string; recipient: string }) =>
  `${row.channel} ${recipientKey(row.recipient)}`;

export const onSuppressionList = 'The recipient is on the suppression list';
export const expired = 'Expired: its time was over before it could be sent';

/**
 * Takes over what earlier runs of the job left: final rows count, due ones queue up, later ones keep waiting. What is
 * open ends here for somebody who is no longer among the targets (with a refusal: for everybody), and, as expired, once
 * the occurrence's time is over. Returns whom the ledger knows.
 */
export function takeOverLedger(
  run: Run,
  {
    ledger,
    targets,
    refusal,
    closed,
    postponed,
    now,
  }: {
    ledger: readonly LedgerRow[];
    targets: readonly Target[];
    refusal: string | null;
    closed: ClosedRow[];
    postponed: PostponedRow[];
    now: Temporal.Instant;
  },
): ReadonlySet<string> {
  if (ledger.length === 0) return nobody;
  const wanted = new Map(targets.map((target) => [ledgerKey(target), target]));
  const isOver = Temporal.Instant.compare(now, run.expiresAt) >= 0;
  for (const row of ledger) {
    const target = wanted.get(ledgerKey(row));
    const hold = run.hours !== null && isDue(row, now) ? run.hours.holdOf(row, now) : null;
    const isPast = isOver || (hold !== null && Temporal.Instant.compare(hold.at, run.expiresAt) >= 0);
    const end = isFinal(row.status) ? null : endOf(row, { target, refusal, isOver: isPast });
    const { channel, recipient } = row;
    if (end !== null) closed.push({ job: run.job, channel, recipient, ...end });
    else if (hold !== null) {
      const { reason } = hold;
      postponed.push({ job: run.job, channel, recipient, at: hold.at.toString(), reason });
      run.isUncertain ||= row.unknowns > 0;
      waitUntil(run, { ...hold, reason: row.attempts > 0 ? (row.reason ?? reason) : reason });
      continue;
    }
    takeOver(run, end === null ? row : { ...row, ...end }, now);
  }
  return new Set(ledger.map(ledgerKey));
}

const isDue = ({ status, next_attempt_at: at }: LedgerRow, now: Temporal.Instant) =>
  !isFinal(status) && (at === null || Date.parse(at) <= now.epochMilliseconds);

const nobody: ReadonlySet<string> = new Set();

/** How an open row ends unsent, null when it goes on. What an earlier attempt may have brought there is unknown. */
function endOf(row: LedgerRow, to: Parameters<typeof endOfUnsent>[1]): Pick<ClosedRow, 'status' | 'reason'> | null {
  const end = endOfUnsent(row, to);
  return end === null || row.unknowns === 0 ? end : { status: 'unknown', reason: row.reason ?? end.reason };
}

/** What had been tried and failed ends as failed once its time is over. */
function endOfUnsent(
  row: LedgerRow,
  { target, refusal, isOver }: { target: Target | undefined; refusal: string | null; isOver: boolean },
): Pick<ClosedRow, 'status' | 'reason'> | null {
  if (refusal !== null) return { status: 'skipped', reason: refusal };
  if (target === undefined) return { status: 'skipped', reason: 'No longer among the recipients' };
  if (target.problem !== null) return { status: 'skipped', reason: target.problem };
  if (!isOver) return null;
  return row.attempts === 0
    ? { status: 'skipped', reason: expired }
    : { status: 'failed', reason: `${row.reason ?? 'No answer'} (expired before the next attempt)` };
}

function takeOver(run: Run, row: LedgerRow, now: Temporal.Instant): void {
  if (isFinal(row.status)) return countEnded(run, row);
  run.isUncertain ||= row.unknowns > 0;
  run.lastFailure ??= row.reason;
  const nextAttemptAt = row.next_attempt_at === null ? now : Temporal.Instant.from(row.next_attempt_at);
  if (Temporal.Instant.compare(nextAttemptAt, now) <= 0) {
    const { id, channel, recipient, recipient_name, attempts, unknowns } = row;
    run.queued.push({ id, channel, recipient, recipient_name, attempts, unknowns });
  } else comeBackAt(run, nextAttemptAt);
}

/** A recipient who waits, and why, for the job's own message. */
export function waitUntil(run: Run, { at, reason }: { at: Temporal.Instant; reason: string }): void {
  run.lastFailure ??= reason;
  comeBackAt(run, at);
}

export function comeBackAt(run: Run, at: Temporal.Instant): void {
  if (run.nextAttemptAt === null || Temporal.Instant.compare(at, run.nextAttemptAt) < 0) run.nextAttemptAt = at;
}

/** Counts what has ended, in an earlier run or by another's hand. */
export function countEnded(run: Run, { status, reason }: Pick<LedgerRow, 'status' | 'reason'>): void {
  run.tally[status] = (run.tally[status] ?? 0) + 1;
  if (status === 'skipped') run.lastSkip = reason;
  else if (status !== 'accepted' && status !== 'delivered') run.lastFailure = reason;
}
