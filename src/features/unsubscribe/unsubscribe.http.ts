import type { unsubscribeRoutes } from '#contract/unsubscribe.ts';
import { lookUp, resubscribe, unsubscribe, type UnsubscribePorts } from '#features/unsubscribe/unsubscribe.service.ts';
import { unsubscribePage } from '#features/unsubscribe/unsubscribe-links.service.ts';
import { NotFound } from '#platform/errors.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const unsubscribeHandlers = (ports: UnsubscribePorts): HandlersOf<typeof unsubscribeRoutes> => ({
  async readUnsubscribeLink({ params, request }) {
    // The URL in a mail's header: a browser that opens it is redirected to the page.
    // A broken link still opens the page, which reports it; only an impossible token answers 404.
    if (!/^[\w-]+$/.test(params.token)) throw new NotFound('link to unsubscribe');
    if (/\btext\/html\b/.test(request.headers.get('accept') ?? ''))
      return new Response(null, { status: 303, headers: { location: unsubscribePage(params.token) } });
    return Response.json(await lookUp(ports, params.token), { headers: { 'cache-control': 'no-store' } });
  },
  unsubscribe: ({ params, query, clientAddress }) =>
    unsubscribe(ports, { token: params.token, covers: query.covers, clientAddress }),
  resubscribe: ({ params, query }) => resubscribe(ports, { token: params.token, undo: query.undo }),
});
