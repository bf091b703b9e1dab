import type { unsubscribeRoutes } from '#contract/unsubscribe.ts';
import { lookUp, resubscribe, unsubscribe, type UnsubscribePorts } from '#features/unsubscribe/unsubscribe.service.ts';
import { unsubscribePage } from '#features/unsubscribe/unsubscribe-links.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const unsubscribeHandlers = (ports: UnsubscribePorts): HandlersOf<typeof unsubscribeRoutes> => ({
  async getSubscription({ params, request }) {
    // The address in a mail's header: who is not a program that posts to it follows it as a link.
    if (/\btext\/html\b/.test(request.headers.get('accept') ?? ''))
      return new Response(null, { status: 303, headers: { location: unsubscribePage(params.token) } });
    return Response.json(await lookUp(ports, params.token), { headers: { 'cache-control': 'no-store' } });
  },
  unsubscribe: ({ params }) => unsubscribe(ports, params.token),
  resubscribe: ({ params }) => resubscribe(ports, params.token),
});
