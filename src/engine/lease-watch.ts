import type { OpenClaim } from '#engine/store.ts';
import type { Clock } from '#platform/clock.ts';

type Watched = { leaseUntil: string; sinceMs: number };

/**
 * Tells which claims nobody keeps any more. A lease is written by the clock of one machine and read by that of another,
 * and either may be wrong or jump: so it is watched, since a worker that lives changes it with every heartbeat. It is lost
 * when its time is over and it has missed two heartbeats, or when it has stood still for all of its length. Only a watch
 * without gaps counts: while the database is away, or this process is stopped, nobody can keep a lease.
 */
export function createLeaseWatch({
  clock,
  leaseMs,
  heartbeatMs,
  sweepMs,
}: {
  clock: Pick<Clock, 'now' | 'steadyMs'>;
  leaseMs: number;
  heartbeatMs: number;
  /** How often it is looked. */
  sweepMs: number;
}) {
  let watched = new Map<string, Watched>();
  let lookedAtMs = 0;

  function lookAt({ id, leaseUntil }: OpenClaim): Watched {
    const known = watched.get(id);
    return known?.leaseUntil === leaseUntil ? known : { leaseUntil, sinceMs: clock.steadyMs() };
  }

  function isLost({ leaseUntil, sinceMs }: Watched): boolean {
    const isOver = Temporal.Instant.compare(leaseUntil, clock.now()) < 0;
    return clock.steadyMs() - sinceMs >= (isOver ? heartbeatMs * 2.5 : leaseMs);
  }

  return {
    /** @param open every claim that there is */
    lostAmong(open: readonly OpenClaim[]): OpenClaim[] {
      if (clock.steadyMs() - lookedAtMs > sweepMs * 3) watched.clear();
      lookedAtMs = clock.steadyMs();
      watched = new Map(open.map((claim) => [claim.id, lookAt(claim)]));
      return open.filter(({ id }) => {
        const seen = watched.get(id);
        return seen !== undefined && isLost(seen);
      });
    },
  };
}
