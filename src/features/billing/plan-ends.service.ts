import * as customers from '#features/billing/customers.db.ts';
import { type BillingPorts, checkCustomer, settle } from '#features/billing/subscriptions.service.ts';
import { subscriptionsOfNobody, workspacesWhosePlanEnds } from '#features/billing/subscriptions.db.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

export type PlanWatch = { stop(): Promise<void> };

/** How late a plan may end, and how late a lost event is found. */
const everyMs = 60_000;
const checkEveryHours = 24;
const batch = 100;

/**
 * Ends the plans whose grace or period is over, cancels what nobody needs any more, and asks the provider once a day for the subscriptions of
 * each customer, in case that an event was lost. Several processes may do so.
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
      await tried(async () => {
        for (const one of await subscriptionsOfNobody(ports.pool, { limit: batch })) await tried(() => cancel(one));
      });
      await tried(async () => {
        const before = now.subtract({ hours: checkEveryHours }).toString();
        for (const id of await customers.takeUnchecked(ports.pool, { before, now: now.toString(), limit: batch })) {
          if (stopped.signal.aborted) return;
          await tried(() => checkCustomer(ports, id));
        }
      });
      await clock.sleepUntil(now.add({ milliseconds: everyMs }), stopped.signal);
    }
  }

  /** One customer whom the provider refuses does not keep the others waiting. */
  async function tried(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn({ error: String(error) }, 'checking subscriptions failed; trying again');
    }
  }

  async function cancel({ id, customer }: { id: string; customer: string }): Promise<void> {
    await ports.payments.cancelAtPeriodEnd(id);
    await checkCustomer(ports, customer);
  }

  return {
    async stop() {
      stopped.abort();
      await done;
    },
  };
}
