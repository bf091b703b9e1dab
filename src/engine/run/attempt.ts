import type { Reason } from '#domain/ledger-reasons.ts';
import type { Endpoint } from '#engine/run/endpoint.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import type { LiveDelivery } from '#engine/run/live-delivery.ts';
import type { Route } from '#engine/run/routes.ts';

/**
 * An attempt to send one delivery of a run, from the question whether it may begin to its outcome. `endpoint` is null
 * when its channel cannot send.
 */
export type Attempt = {
  run: JobRun;
  delivery: LiveDelivery;
  endpoint: Endpoint | null;
  /** Its rate slot on a rate-limited channel, in epoch milliseconds; null when it has none. */
  startAtMs: number | null;
  /** Why the suppression list forbids it since it waits. */
  notSent: Reason | null;
};

/** The route as it is now: if the channel was changed while the delivery waited, the new one; if it was switched off, none. */
export function currentRoute({ run, delivery, endpoint }: Attempt): Route {
  const routes = run.routes(delivery.channel);
  if (routes[0] === endpoint?.route) return routes[0];
  const isSame = (route: Route) => !('problem' in route) && route.channelId === endpoint?.route.channelId;
  return routes.find(isSame) ?? routes[0];
}
