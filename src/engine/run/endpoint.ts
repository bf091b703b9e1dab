import type { OpenRoute } from '#engine/run/routes.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import type { LiveDelivery } from '#engine/run/live-delivery.ts';

/** A channel that sends, and the destination and address whose circuit breakers its messages pass. */
export type Endpoint = { route: OpenRoute; destination: string; address: string | null };

/**
 * Returns the first channel of the type whose breaker is closed; if all are open, the one that may be tried first. Null
 * when no channel can send.
 * @param openUntilMs in epoch milliseconds, 0 when the destination may be tried
 */
export function chooseEndpoint(
  run: JobRun,
  { channel, recipient }: Pick<LiveDelivery, 'channel' | 'recipient'>,
  openUntilMs: (endpoint: Endpoint) => number,
): Endpoint | null {
  const routes = run.routes(channel).flatMap((route) => {
    if ('problem' in route) return [];
    const address = route.adapter.hasAddresses === true ? recipient : null;
    return [{ route, destination: destinationOf(run, { route, recipient }), address }];
  });
  const [first = null] = routes;
  if (routes.length < 2) return first;
  const rests = routes.map(openUntilMs);
  return routes[rests.indexOf(Math.min(...rests))] ?? first;
}

/** Keyed by workspace: failures of one workspace's channel say nothing about another's. */
const destinationOf = (run: JobRun, { route, recipient }: { route: OpenRoute; recipient: string }): string =>
  `${run.job.workspace_id} ${route.adapter.provider} ${route.adapter.destinationOf(recipient, route.config)}`;
