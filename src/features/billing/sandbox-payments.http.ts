import type { sandboxPaymentRoutes } from '#contract/sandbox-payments.ts';
import { pageOf, type SandboxPaymentPorts, shownPage } from '#features/billing/sandbox-payments.service.ts';
import { Unprocessable } from '#platform/errors.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';

export const sandboxPaymentHandlers = (ports: SandboxPaymentPorts): HandlersOf<typeof sandboxPaymentRoutes> => ({
  getPaymentPage: ({ ctx, params }) => {
    const of = { id: params.id, userId: ctx.actor.userId };
    return new AfterCommit(async () => shownPage(await pageOf(ports, of), ports));
  },
  actOnPaymentPage: ({ ctx, params, body }) => {
    const of = { id: params.id, userId: ctx.actor.userId };
    return new AfterCommit(async () => {
      const { page, provider } = await pageOf(ports, of);
      if (!(await provider.act(page, body))) throw new Unprocessable('This page cannot do that');
      return shownPage(await pageOf(ports, of), ports);
    });
  },
});
