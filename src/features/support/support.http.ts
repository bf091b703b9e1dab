import type { supportRoutes } from '#contract/support.ts';
import * as support from '#features/support/support.service.ts';
import type { PersonContext } from '#platform/context.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';

type Acting = { ctx: PersonContext; params: { id: string }; clientAddress: string };

/** Answers after the commit, because a mail server may be slow and no connection of requests should be held. */
export function supportHandlers(ports: support.SupportPorts): HandlersOf<typeof supportRoutes> {
  const byOf = ({ ctx, params, clientAddress }: Acting) => ({
    id: params.id,
    actorId: ctx.actor.userId,
    clientAddress,
  });
  const setClosed = (isClosed: boolean) => (acting: Acting) =>
    new AfterCommit(() => support.setClosed(ports, { ...byOf(acting), isClosed }));
  return {
    submitSupportRequest: ({ body, clientAddress }) => support.submitRequest(ports, body, { clientAddress }),
    listOwnSupportRequests: ({ ctx }) =>
      new AfterCommit(async () => ({ data: await support.requestsOf(ports.db, ctx.actor.userId) })),
    listSupportRequests: ({ query }) => new AfterCommit(() => support.listRequests(ports, query)),
    getSupportRequest: ({ params }) => new AfterCommit(() => support.findRequest(ports, params.id)),
    answerSupportRequest: ({ body, ...acting }) =>
      new AfterCommit(() => support.answerRequest(ports, { ...byOf(acting), ...body })),
    closeSupportRequest: setClosed(true),
    reopenSupportRequest: setClosed(false),
  };
}
