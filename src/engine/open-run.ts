import { randomUUIDv7 } from 'node:crypto';
import type { Target } from '#domain/recipients.ts';
import type { Claim } from '#engine/claimed.ts';
import { expiredText, ledgerKey, takeOverLedger, deferUntil } from '#engine/ledger.ts';
import type { PreparedJob } from '#engine/prepare.ts';
import { isRateLimited } from '#engine/routes.ts';
import { isFirstClaim, type LiveDelivery, type Run, type Work } from '#engine/run.ts';
import { narrowToFallback } from '#engine/fallback.ts';
import type { ClosedRow } from '#engine/claimed.ts';
import type { ClaimRequest, LedgerRow } from '#engine/store.ts';

/** Returns a run with no attempt begun. */
export function emptyRun(
  { job, scheduledFor, expiresAt, plan }: PreparedJob,
  { claimId, now }: ClaimRequest,
): Omit<Run, 'companyName' | 'brand' | 'mailStyle' | 'signing' | 'isDemo' | 'prefersMiss' | 'routes' | 'hours'> {
  return {
    job,
    claimId,
    work: 'refusal' in plan ? noWork : plan.work,
    contacts: noContacts,
    fallbacks: noFallbacks,
    scheduledFor,
    startedAt: now,
    expiresAt,
    inFlight: 0,
    overflow: [],
    unconfirmed: new Set(),
    tally: {},
    nextAttemptAt: null,
    isUncertain: false,
    isFallingBack: false,
    lastFailure: null,
    lastSkip: null,
    attempted: 0,
    checkedAtMs: now.epochMilliseconds,
    isLost: false,
  };
}

const noFallbacks: Run['fallbacks'] = new Map();
const noContacts: Run['contacts'] = new Map();

const noWork: Work = {
  subject: '',
  message: '',
  format: 'plain',
  recipients: [],
  audience: null,
  channels: [],
  mode: 'every',
  pinned: {},
  pushTo: null,
  values: {},
  data: {},
  timezone: 'UTC',
  isTest: false,
};

/** Takes over the ledger rows of earlier runs and adds rows for new recipients. Returns the attempts that begin now. */
export function openRun(
  run: Run,
  {
    one: { job, plan },
    claim,
    ledger,
    budget,
    isLimited,
    now,
  }: {
    one: PreparedJob;
    claim: Claim;
    ledger: readonly LedgerRow[];
    budget: number;
    /**
     * The workspace has a rate-limited channel. Attempts over it begin once they have a rate slot, not with the claim.
     */
    isLimited: boolean;
    now: Temporal.Instant;
  },
): LiveDelivery[] {
  const refusal = 'refusal' in plan ? plan.refusal : null;
  const { targets, ledger: rows } = concernedBy(plan, { run, ledger, closed: claim.closed, now });
  const { closed, deferred } = claim;
  const known = takeOverLedger(run, { ledger: rows, targets, refusal, closed, deferred, now });
  if (refusal !== null) refuse(run, refusal);
  const begun: LiveDelivery[] = [];
  // An occurrence that was put back before it began may have expired by now. A first claim checks that itself.
  const over = !isFirstClaim(job) && Temporal.Instant.compare(now, run.expiresAt) >= 0 ? expiredText : null;
  for (const target of targets) {
    if (known.size > 0 && known.has(ledgerKey(target))) continue;
    const { channel, recipient, recipient_name } = target;
    const problem = target.problem ?? over;
    const deferral = problem === null ? (run.hours?.deferralOf(target, now) ?? null) : null;
    const delivery = { id: randomUUIDv7(), channel, recipient, recipient_name, attempts: 0, unknowns: 0 };
    // A person of an audience has a ledger row from the claim on: it says who that is, and that they belonged to it.
    const isListed = target.contact_id === undefined;
    const mayBegin =
      problem === null && deferral === null && isListed && !(isLimited && run.routes(channel).some(isRateLimited));
    if (mayBegin && begun.length < budget) {
      begun.push({ ...delivery, attempts: 1 });
      continue;
    }
    const status = problem !== null ? 'skipped' : deferral === null ? 'queued' : 'waiting';
    const reason = problem ?? deferral?.reason ?? null;
    const nextAttemptAt = deferral?.at.toString() ?? null;
    const row = { id: delivery.id, job, channel, recipient, recipient_name, status, reason } as const;
    const { contact_id = null, through = null } = target;
    claim.rows.push({ ...row, next_attempt_at: nextAttemptAt, contact_id, through });
    if (deferral !== null) deferUntil(run, deferral);
    else if (problem === null) run.overflow.push(delivery);
    else {
      run.tally.skipped = (run.tally.skipped ?? 0) + 1;
      run.lastSkip = problem;
    }
  }
  return begun;
}

function concernedBy(
  plan: PreparedJob['plan'],
  { run, ledger, ...at }: { run: Run; ledger: readonly LedgerRow[]; closed: ClosedRow[]; now: Temporal.Instant },
): { targets: readonly Target[]; ledger: readonly LedgerRow[] } {
  if ('refusal' in plan) return { targets: [], ledger };
  const { targets, chains } = plan;
  return chains === null ? { targets, ledger } : narrowToFallback(run, { chains, ledger, ...at });
}

/** Sends nothing. A run that served nobody ends as cancelled with this reason, whatever its ledger holds. */
function refuse(run: Run, refusal: string): void {
  run.lastSkip = refusal;
  run.nextAttemptAt = null;
  if (Object.keys(run.tally).length === 0) run.tally = { skipped: 1 };
}
