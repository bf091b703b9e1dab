import { FrequencyCap } from '#contract/frequency-cap.ts';
import { capText, isCapped, isCapping, nextCapacityAfter } from '#domain/frequency-cap.ts';
import { isDeferredByRule, isOverCap, waitsForCap } from '#domain/ledger-reasons.ts';
import { lifetimeMs } from '#domain/lifetime.ts';
import { recipientKey, type Target } from '#domain/recipients.ts';
import { isFirstClaim } from '#engine/run/claimed-job.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import { type Deferral, ledgerKey, type LedgerRow } from '#engine/run/live-delivery.ts';
import { openingText } from '#domain/sending-hours-text.ts';
import type { PreparedJob } from '#engine/run/prepared-job.ts';
import type { CappedMessage, Found, WorkspaceFacts } from '#engine/store.ts';

/** A run, with whom it writes to now. */
export type Narrowed = { one: PreparedJob; run: JobRun; targets: readonly Target[]; ledger: readonly LedgerRow[] };

/**
 * Counts the messages that begin now in workspaces with a frequency cap, and holds back those for which there is no room: they wait for the next day with
 * room, or are skipped where their next occurrence comes first. A message is counted once, by the claim that lets it begin; retries are not.
 */
export async function keepToCaps(
  narrowed: readonly Narrowed[],
  { found, workspaces, now }: { found: Found; workspaces: ReadonlyMap<string, WorkspaceFacts>; now: Temporal.Instant },
): Promise<void> {
  const asked = narrowed.flatMap(({ one, run, targets, ledger }) => {
    const cap = capOf(workspaces.get(run.job.workspace_id));
    if (cap === null || run.work.occasion !== 'reminder' || run.work.isUrgent || run.isRequired) return [];
    return beginning(run, { targets, ledger, nowMs: now.epochMilliseconds }).map((target) => ({
      one,
      run,
      target,
      cap,
      workspaceId: run.job.workspace_id,
      channel: target.channel,
      key: recipientKey(target.recipient),
    }));
  });
  if (asked.length === 0) return;
  for (const [at, { isWeekFull }] of await found.takeCapacity(asked)) {
    const capped = asked[at];
    if (capped !== undefined) deferOrSkip(capped, { now, isWeekFull });
  }
}

/** Null when the workspace has set none, or when the setting cannot be read: that must not block deliveries. */
function capOf(workspace: WorkspaceFacts | undefined): FrequencyCap | null {
  if (workspace === undefined || workspace.frequency_cap === null) return null;
  const { data: cap } = FrequencyCap.safeParse(workspace.frequency_cap);
  return cap !== undefined && isCapping(cap) ? cap : null;
}

/** Those to whom this claim lets a message begin that no claim before has counted. */
function beginning(
  run: JobRun,
  { targets, ledger, nowMs }: { targets: readonly Target[]; ledger: readonly LedgerRow[]; nowMs: number },
): Target[] {
  const isOver = !isFirstClaim(run.job) && run.isOver(nowMs);
  const rowOf = new Map(ledger.map((row) => [ledgerKey(row), row]));
  return targets.filter((target) => {
    if (target.problem !== null || isOver || !isCapped(target)) return false;
    if (run.hours !== null && run.hours.deferralOf(target, nowMs) !== null) return false;
    const row = rowOf.get(ledgerKey(target));
    return row === undefined || hasWaited(row, nowMs);
  });
}

/** Whether a row that was not counted is due: it waited for sending hours or for room. */
const hasWaited = ({ status, attempts, reason_code: code, next_attempt_at: at }: LedgerRow, nowMs: number): boolean =>
  status === 'waiting' && attempts === 0 && isDeferredByRule(code) && (at === null || Date.parse(at) <= nowMs);

type Capped = CappedMessage & { one: PreparedJob; run: JobRun; target: Target };

function deferOrSkip(
  { one, run, target, cap }: Capped,
  { now, isWeekFull }: { now: Temporal.Instant; isWeekFull: boolean },
): void {
  const dueAt = Temporal.Instant.fromEpochMilliseconds(one.scheduledForMs);
  const next = waitsForAnotherDay(one) ? nextCapacityAfter(cap, { now, dueAt, isWeekFull }) : null;
  if (next === null) {
    target.problem = isOverCap(capText(cap), 'out_of_date');
    return;
  }
  const opensMs = run.hours?.deferralOf(target, next.epochMilliseconds)?.atMs ?? next.epochMilliseconds;
  if (one.nextMs !== null && opensMs >= one.nextMs) {
    target.problem = isOverCap(capText(cap), 'overtaken');
    return;
  }
  const where = openingText(Temporal.Instant.fromEpochMilliseconds(opensMs), cap.timezone);
  run.deferByCap(target, { atMs: opensMs, ...waitsForCap(capText(cap), where) } satisfies Deferral);
  const endMs = Math.min(opensMs + lifetimeMs, one.nextMs ?? Number.POSITIVE_INFINITY);
  if (endMs <= one.expiresAtMs) return;
  one.expiresAtMs = endMs;
  one.isExtended = true;
  run.expiresAtMs = endMs;
}

/** What answers an event or a call of a program is about that moment. */
const waitsForAnotherDay = ({ job }: PreparedJob): boolean => job.type === 'reminder';
