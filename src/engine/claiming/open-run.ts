import { hasExpired } from '#domain/ledger-reasons.ts';
import type { Target } from '#domain/recipients.ts';
import type { ClaimDecision } from '#engine/run/claim-decision.ts';
import { deliveryIdOf, type LedgerRow, type LiveDelivery, ledgerKey } from '#engine/run/live-delivery.ts';
import { takeOverLedger } from '#engine/claiming/ledger.ts';
import type { PreparedJob } from '#engine/run/prepared-job.ts';
import { isRateLimited } from '#engine/run/routes.ts';
import { isFirstClaim } from '#engine/run/claimed-job.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import { narrowToFallback } from '#engine/claiming/fallback.ts';

/** Takes over the ledger rows of earlier runs and adds rows for new recipients. Returns the attempts that begin now. */
export function openRun(
  run: JobRun,
  {
    one: { job, dispatch },
    targets,
    ledger,
    claim,
    budget,
    isLimited,
    nowMs,
  }: {
    one: PreparedJob;
    targets: readonly Target[];
    ledger: readonly LedgerRow[];
    claim: ClaimDecision;
    budget: number;
    /** True when the workspace has a rate-limited channel: attempts over it begin when they have a rate slot, not with the claim. */
    isLimited: boolean;
    nowMs: number;
  },
): LiveDelivery[] {
  const refusal = 'refusal' in dispatch ? dispatch.refusal : null;
  const { closed, deferred } = claim;
  const known = takeOverLedger(run, { ledger, targets, refusal, closed, deferred, nowMs });
  if (refusal !== null) run.refuse(refusal);
  const begun: LiveDelivery[] = [];
  // An occurrence that was put back before it began may have expired by now. A first claim has checked that already.
  const over = !isFirstClaim(job) && run.isOver(nowMs) ? hasExpired : null;
  for (const target of targets) {
    if (known.size > 0 && known.has(ledgerKey(target))) continue;
    const { channel, recipient, recipient_name } = target;
    const problem = target.problem ?? over;
    const deferral = problem === null ? run.deferralOf(target, nowMs) : null;
    const id = deliveryIdOf({ id: job.id, scheduledForMs: run.scheduledForMs }, target);
    const delivery = { id, channel, recipient, recipient_name, attempts: 0, unknowns: 0 };
    // A person of an audience gets a ledger row with the claim, which records that they belonged to it then; so does an address that the list does not have,
    // with the one that it came from, and who is written to by preference.
    const isListed =
      target.contact_id === undefined && target.through === undefined && target.by_preference === undefined;
    const mayBegin =
      problem === null && deferral === null && isListed && !(isLimited && run.routes(channel).some(isRateLimited));
    if (mayBegin && begun.length < budget) {
      begun.push({ ...delivery, attempts: 1 });
      continue;
    }
    const status = problem !== null ? 'skipped' : deferral === null ? 'queued' : 'waiting';
    const reason = problem ?? deferral;
    const nextAttemptAt = deferral === null ? null : Temporal.Instant.fromEpochMilliseconds(deferral.atMs).toString();
    const row = { id: delivery.id, job, channel, recipient, recipient_name, status, reason } as const;
    const { contact_id = null, through = null, by_preference = false } = target;
    run.markInLedger();
    claim.rows.push({ ...row, next_attempt_at: nextAttemptAt, contact_id, through, by_preference });
    if (deferral !== null) run.deferUntil(deferral);
    else if (problem === null) run.queue(delivery);
    else run.countClosed({ channel, status: 'skipped', reason: problem.reason, reason_code: problem.code });
  }
  return begun;
}

/** Whom a run writes to now, and their rows: where channels are tried in order, over one of them. */
export function concernedBy(
  dispatch: PreparedJob['dispatch'],
  { run, ledger, ...at }: { run: JobRun; ledger: readonly LedgerRow[]; claim: ClaimDecision; nowMs: number },
): { targets: readonly Target[]; ledger: readonly LedgerRow[] } {
  if ('refusal' in dispatch) return { targets: [], ledger };
  const { targets, chains } = dispatch;
  return chains === null ? { targets, ledger } : narrowToFallback(run, { chains, ledger, ...at });
}
