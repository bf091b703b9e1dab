import type { OpenClaim } from '#engine/store.ts';
import type { Clock } from '#platform/clock.ts';

type Watched = { leaseUntil: string; sinceMs: number };

/**
 * Finds claims whose worker is lost. A lease is written by one machine's clock and read by another's, and either may be
 * wrong or jump, so leases are observed: a live worker changes its lease with every heartbeat. A lease is lost when it
 * has expired and two heartbeats were missed, or when it has not changed for its whole length. Only gapless observation
 * counts: while the database is away or this process is stopped, nobody can extend a lease.
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
  /** How often leases are read. */
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
    /** @param open all claims */
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
