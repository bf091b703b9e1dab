import type { billingRoutes } from '#contract/billing.ts';
import * as service from '#features/billing/billing.service.ts';
import { handleEvent } from '#features/billing/subscriptions.service.ts';
import { inCurrent } from '#features/workspaces/in-current.service.ts';
import { NotFound } from '#platform/errors.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';

export const billingHandlers = (deps: service.BillingDeps): HandlersOf<typeof billingRoutes> => ({
  getBilling: ({ ctx }) => service.getBilling(ctx, deps),
  async listInvoices({ ctx }) {
    const subscriptions = await service.latestSubscriptions(ctx);
    return new AfterCommit(async () => ({ data: await service.listInvoices(deps, subscriptions) }));
  },
  async createCheckout({ ctx, body }) {
    const workspaceId = await service.visibleWorkspace(inCurrent(ctx, body.workspaceId));
    const person = await service.personOf(ctx);
    return new AfterCommit(() => service.orderPlan(deps, { person, workspaceId, priceId: body.priceId }));
  },
  async openCustomerPortal({ ctx }) {
    const person = await service.personOf(ctx);
    return new AfterCommit(() => service.openPortal(deps, person));
  },
  async checkSubscription({ ctx, body }) {
    const { now, billing } = ctx;
    const workspaceId = await service.visibleWorkspace(inCurrent(ctx, body.workspaceId));
    return new AfterCommit(async (again) => {
      await service.checkSubscription(deps, workspaceId);
      return again((db) => service.getBilling({ db, workspaceId, now, ...(billing && { billing }) }, deps));
    });
  },
  async receiveBillingEvent({ request, readBody }) {
    if (deps.account === null) throw new NotFound('address');
    const { payments } = deps.account;
    const event = payments.readEvent(await readBody(), request.headers.get('stripe-signature'));
    await handleEvent({ ...deps, payments }, event);
    return { received: true as const };
  },
});
