import type { Chain } from '#domain/chains.ts';
import type { Target } from '#domain/recipients.ts';
import { ledgerKey, onSuppressionList } from '#engine/ledger.ts';
import { isFinal, type Run, type Step } from '#engine/run.ts';
import { lifetimeMs } from '#engine/misfire.ts';
import type { ClosedRow } from '#engine/claimed.ts';
import type { LedgerRow } from '#engine/store.ts';

/** How long a channel is tried when there is another one, at the most. */
const patienceMs = 30 * 60_000;

/**
 * Of chains of targets, what is to be done now: to each recipient over one channel. The ledger alone tells how far each has
 * come, so that a worker that is lost loses nothing: the next channel's row is written by the claim after the failure. What
 * came over one channel, or may have, or was not to be sent, is not tried over another one.
 */
export function narrowToSteps(
  run: Run,
  {
    chains,
    ledger,
    closed,
    now,
  }: { chains: readonly Chain[]; ledger: readonly LedgerRow[]; closed: ClosedRow[]; now: Temporal.Instant },
): { targets: Target[]; ledger: LedgerRow[] } {
  const rowOf = new Map(ledger.map((row) => [ledgerKey(row), row]));
  const inChains = new Set(chains.flat().map(ledgerKey));
  const narrowed = { targets: new Array<Target>(), ledger: ledger.filter((row) => !inChains.has(ledgerKey(row))) };
  const steps = new Map<string, Step>();
  for (const chain of chains) {
    const ways = usable(run, { chain, rowOf });
    const rows = ways.map((target) => rowOf.get(ledgerKey(target)));
    const at = placeIn(rows, { isOver: Temporal.Instant.compare(now, run.expiresAt) >= 0 });
    const [target, row, next] = [ways[at], rows[at], ways[at + 1]];
    if (target === undefined) continue;
    narrowed.targets.push(target);
    if (row !== undefined) narrowed.ledger.push(row);
    if (row !== undefined && isFinal(row.status)) closeOthers(run, { rows, end: row, closed });
    else if (next !== undefined)
      steps.set(ledgerKey(target), {
        next: next.channel,
        until: patienceEnds(run, { row, left: ways.length - at, now }),
        hasSpare: rows.slice(at + 1).some((other) => other !== undefined),
      });
  }
  run.steps = steps;
  return narrowed;
}

/** Channels that are off or not in the plan are passed by, unless there is no other. */
function usable(run: Run, { chain, rowOf }: { chain: Chain; rowOf: ReadonlyMap<string, LedgerRow> }): Chain {
  const [first, ...others] = chain.filter((target) => {
    if (rowOf.has(ledgerKey(target))) return true;
    const [route] = run.ways(target.channel);
    return isSendable(target) && !('problem' in route && route.isOff);
  });
  return first === undefined ? [chain[0]] : [first, ...others];
}

/** Who does not want to hear over one channel is not written to over the next one instead. */
const isSendable = ({ problem }: Target) => problem === null || problem === onSuppressionList;

/** Where a recipient stands: at what ended otherwise than by failing, else at what is open, else behind what failed last. */
function placeIn(rows: readonly (LedgerRow | undefined)[], { isOver }: { isOver: boolean }): number {
  const ended = rows.findIndex((row) => row !== undefined && isFinal(row.status) && row.status !== 'failed');
  if (ended !== -1) return ended;
  const open = rows.findIndex((row) => row !== undefined && !isFinal(row.status));
  if (open !== -1) return open;
  const failed = rows.findLastIndex((row) => row !== undefined);
  return isOver && failed !== -1 ? failed : Math.min(failed + 1, rows.length - 1);
}

function closeOthers(
  run: Run,
  { rows, end, closed }: { rows: readonly (LedgerRow | undefined)[]; end: LedgerRow; closed: ClosedRow[] },
): void {
  for (const row of rows) {
    if (row === undefined || isFinal(row.status)) continue;
    const { channel, recipient } = row;
    const isUncertain = row.unknowns > 0 && row.reason !== null;
    const status = isUncertain ? 'unknown' : 'skipped';
    closed.push({
      job: run.job,
      channel,
      recipient,
      status,
      reason: isUncertain ? (row.reason ?? '') : reasonAfter(end),
    });
  }
}

function reasonAfter({ status, channel, reason }: LedgerRow): string {
  if (status === 'skipped' && reason !== null) return reason;
  return status === 'unknown' ? `It may have arrived over ${channel}` : `It was accepted over ${channel}`;
}

/** Half an hour from the first attempt, or from the run's beginning; each channel its share of what time there is. */
function patienceEnds(
  { job, startedAt, expiresAt }: Run,
  { row, left, now }: { row: LedgerRow | undefined; left: number; now: Temporal.Instant },
): Temporal.Instant {
  const text = row === undefined ? null : (row.first_attempt_at ?? job.begun_at);
  const beganMs = text === null ? startedAt.epochMilliseconds : Date.parse(text);
  // A person's retry counts anew.
  const fromMs = job.expires_at === null ? beganMs : Math.max(beganMs, Date.parse(job.expires_at) - lifetimeMs);
  const shareMs = (expiresAt.epochMilliseconds - now.epochMilliseconds) / left;
  const ms = Math.min(fromMs + patienceMs, now.epochMilliseconds + shareMs);
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(ms));
}
