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
  const routes = run.routes(channel);
  const [first] = routes;
  if (routes.length === 1) return 'problem' in first ? null : endpointTo(recipient, { run, route: first });
  const endpoints = routes.flatMap((route) => ('problem' in route ? [] : [endpointTo(recipient, { run, route })]));
  const rests = endpoints.map(openUntilMs);
  return endpoints[rests.indexOf(Math.min(...rests))] ?? null;
}

let last: { endpoint: Endpoint; recipient: string; workspaceId: string } | null = null;

/** Keyed by workspace: failures of one workspace's channel say nothing about another's. Cached, because neighbours often go to the same address. */
function endpointTo(recipient: string, { run, route }: { run: JobRun; route: OpenRoute }): Endpoint {
  const { workspace_id: workspaceId } = run.job;
  if (last?.endpoint.route === route && last.recipient === recipient && last.workspaceId === workspaceId)
    return last.endpoint;
  const { adapter, config } = route;
  const destination = `${workspaceId} ${adapter.provider} ${adapter.destinationOf(recipient, config)}`;
  const endpoint = { route, destination, address: adapter.hasAddresses === true ? recipient : null };
  last = { endpoint, recipient, workspaceId };
  return endpoint;
}
