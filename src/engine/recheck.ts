import { onSuppressionList } from '#domain/ledger-reasons.ts';
import { recipientKey } from '#domain/recipients.ts';
import type { CircuitBreakers } from '#engine/circuit-breakers.ts';
import type { ActiveDelivery } from '#engine/active-delivery.ts';
import { expiredText } from '#engine/ledger.ts';
import { type FindRoute, routesOf } from '#engine/routes.ts';
import type { Run } from '#engine/run.ts';
import type { OwnershipCheck } from '#engine/ownership.ts';
import { type EngineStore, suppressionKey } from '#engine/store.ts';
import type { Clock } from '#platform/clock.ts';
import { neverAborts } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

type Deps = {
  store: EngineStore;
  clock: Clock;
  log: Log;
  breakers: CircuitBreakers<ActiveDelivery>;
  findRoute: FindRoute;
  ownership: OwnershipCheck;
  start(one: ActiveDelivery): void;
  startUnlessClosed(one: ActiveDelivery): void;
  /** Not null when the sending hours do not allow the delivery now. */
  deferralOf(one: ActiveDelivery): unknown;
  isOver(run: Run): boolean;
  drop(one: ActiveDelivery, reason: string): void;
  /** Leaves the delivery's row as it is, for the worker that took over the job. */
  abandon(one: ActiveDelivery): void;
};

/**
 * A delivery that waited longer than `freshMs` for its destination is checked again before it begins, `recheckBatch` at
 * a time.
 */
const freshMs = 100;
const recheckBatch = 256;

/** Checks deliveries that waited at a full destination before they start. */
export function createRecheck({
  store,
  clock,
  log,
  breakers,
  findRoute,
  ownership,
  start,
  startUnlessClosed,
  deferralOf,
  isOver,
  drop,
  abandon,
}: Deps) {
  const waiting: ActiveDelivery[] = [];
  let running: Promise<void> | null = null;

  function add(one: ActiveDelivery): void {
    if (!startIfFresh(one)) waiting.push(one);
  }

  function run(): void {
    if (waiting.length === 0) return;
    running ??= recheckAll().finally(() => {
      running = null;
    });
  }

  /** The last check, of a batch that included this delivery, may still be fresh. */
  function startIfFresh(one: ActiveDelivery): boolean {
    const mayStart = isFresh(one.run) && !one.isSuppressed && !isOver(one.run) && deferralOf(one) === null;
    if (mayStart) start(one);
    return mayStart;
  }

  /** False when the clock was set back. */
  function isFresh(run: Run): boolean {
    const ageMs = clock.epochMs() - run.checkedAtMs;
    return ageMs >= 0 && ageMs <= freshMs;
  }

  /**
   * Time has passed since the claim, so only deliveries that are still to be sent begin. The check includes those next
   * in line.
   */
  async function recheckAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0).filter((one) => !startIfFresh(one));
      if (batch.length === 0) return;
      const endpoint = batch[0]?.endpoint ?? null;
      const next = endpoint === null ? [] : breakers.nextWaiting(endpoint.destination, recheckBatch);
      const inBatch = new Set(batch);
      for (const [claimId, members] of Map.groupBy([...batch, ...next], ({ run }) => run.claimId)) {
        const { owned, suppressed, channels, checkedAtMs } = await stillOwned(claimId, members.map(asWaiting));
        const find = findRoute(channels);
        for (const one of members) {
          if (!owned.has(one.run.job.id)) continue;
          const { workspace_id: workspaceId } = one.run.job;
          one.run.checkedAtMs = checkedAtMs;
          one.run.routes = routesOf(find, one.run);
          const key = recipientKey(one.delivery.recipient);
          one.isSuppressed =
            suppressed.size > 0 && suppressed.has(suppressionKey({ ...one.delivery, workspaceId, key }));
        }
        const byOwned = Map.groupBy(
          members.filter((one) => inBatch.has(one)),
          ({ run }) => owned.has(run.job.id),
        );
        // Started before the next claim is checked, because this result expires in `freshMs`.
        for (const one of byOwned.get(true) ?? []) startOrDrop(one);
        for (const one of byOwned.get(false) ?? []) await dropStopped(one);
      }
    }
  }

  function startOrDrop(one: ActiveDelivery): void {
    if (one.isSuppressed) return drop(one, onSuppressionList);
    if (isOver(one.run)) return drop(one, expiredText);
    startUnlessClosed(one);
  }

  async function stillOwned(...asked: Parameters<EngineStore['stillOwned']>) {
    for (;;) {
      try {
        const checkedAtMs = clock.epochMs();
        return { ...(await store.stillOwned(...asked)), checkedAtMs };
      } catch (error) {
        log.error({ error: String(error) }, 'checking claimed jobs failed; trying again');
        await clock.sleepUntil(clock.now().add({ milliseconds: 500 }), neverAborts);
      }
    }
  }

  async function dropStopped(one: ActiveDelivery): Promise<void> {
    await ownership.isStopped(one.run);
    if (one.run.isLost) abandon(one);
    else drop(one, one.run.lastSkip ?? 'The job was cancelled');
  }

  return { add, run };
}

const asWaiting = ({ run, delivery }: ActiveDelivery) => ({
  jobId: run.job.id,
  workspaceId: run.job.workspace_id,
  channel: delivery.channel,
  recipient: delivery.recipient,
});
