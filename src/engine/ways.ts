import type { LiveDelivery, OpenRoute, Route, Run } from '#engine/run.ts';

/** A channel that is to send, and the gate that its messages have to pass. */
export type Way = { route: OpenRoute; destination: string };

/**
 * Over the first channel of the type that does not rest; where all do, over the one that is back first. Null where there is
 * nobody to be reached.
 * @param restsUntil in milliseconds since 1970, 0 where a destination does not rest
 */
export function wayTo(
  run: Run,
  { channel, recipient }: Pick<LiveDelivery, 'channel' | 'recipient'>,
  restsUntil: (destination: string) => number,
): Way | null {
  const ways = run.ways(channel).flatMap((route) => {
    if ('problem' in route) return [];
    return [{ route, destination: destinationOf(run, { route, recipient }) }];
  });
  const [first = null] = ways;
  if (ways.length < 2) return first;
  const rests = ways.map(({ destination }) => restsUntil(destination));
  return ways[rests.indexOf(Math.min(...rests))] ?? first;
}

/** Failures of one workspace's channel say nothing about another's. */
const destinationOf = (run: Run, { route, recipient }: { route: OpenRoute; recipient: string }): string =>
  `${run.job.workspace_id} ${route.adapter.provider} ${route.adapter.destinationOf(recipient, route.config)}`;

/** A channel that was changed while somebody stood in line for it is used as it is now, and not at all once it is off. */
export function currentRoute(run: Run, { channel, way }: { channel: LiveDelivery['channel']; way: Way | null }): Route {
  const ways = run.ways(channel);
  const isSame = (route: Route) => !('problem' in route) && route.channelId === way?.route.channelId;
  return ways.find(isSame) ?? ways[0];
}
