import * as customers from '#features/billing/customers.db.ts';
import {
  type BillingPorts,
  checkCustomer,
  checkSubscription,
  settle,
} from '#features/billing/subscriptions.service.ts';
import { subscriptionsOfNobody, workspacesWhosePlanEnds } from '#features/billing/subscriptions.db.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

export type PlanWatch = { stop(): Promise<void> };

/** How often it looks, and so how late a plan may end or a lost event be found. */
const everyMs = 60_000;
const checkEveryHours = 24;
const batch = 100;
/** After so many failures in a row, the rest waits for the next minute. */
const mostFailures = 3;

/**
 * Ends plans whose grace or period is over, cancels subscriptions that belong to nobody any more, and asks the provider once a day for those of each
 * customer, in case an event was lost. Several processes may do so.
 */
export function startPlanWatch({ clock, log, ...ports }: BillingPorts & { clock: Clock; log: Log }): PlanWatch {
  const stopped = new AbortController();
  const done = run();

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      const now = clock.now();
      await tried(async () => {
        for (const id of await workspacesWhosePlanEnds(ports.pool, { now: now.toString(), limit: batch }))
          await settle(ports, id);
      });
      await tried(async () => each(await subscriptionsOfNobody(ports.pool, { limit: batch }), cancel));
      await tried(() => each(unchecked(now), (id) => checkCustomer(ports, id)));
      await clock.sleepUntil(now.add({ milliseconds: everyMs }), stopped.signal);
    }
  }

  /** Customers whose subscriptions were not asked for within a day. */
  async function* unchecked(now: Temporal.Instant): AsyncGenerator<string> {
    const before = now.subtract({ hours: checkEveryHours }).toString();
    for (let taken = 0; taken < batch; taken += 1) {
      const id = await customers.takeUnchecked(ports.pool, { before, now: now.toString() });
      if (id === null) return;
      yield id;
    }
  }

  /** Works on each. One that the provider refuses does not stop the others; a provider that does not answer stops this list only. */
  async function each(
    ids: Iterable<string> | AsyncIterable<string>,
    work: (id: string) => Promise<void>,
  ): Promise<void> {
    let failures = 0;
    for await (const id of ids) {
      if (stopped.signal.aborted) return;
      failures = (await tried(() => work(id))) ? 0 : failures + 1;
      if (failures === mostFailures) return;
    }
  }

  async function tried(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      log.warn({ error: String(error) }, 'checking subscriptions failed; trying again');
      return false;
    }
  }

  /** Cancels a subscription, unless it has ended meanwhile. */
  async function cancel(id: string): Promise<void> {
    const found = await checkSubscription(ports, id);
    if (found === null || found.cancels_at !== null) return;
    await ports.payments.cancelAtPeriodEnd(id);
    await checkSubscription(ports, id);
  }

  return {
    async stop() {
      stopped.abort();
      await done;
    },
  };
}
