import type { Db } from '#platform/database.ts';
import { RateLimited } from '#platform/errors.ts';
import { spend } from '#platform/rate-limit.ts';

/** What a visitor of the demo may send within its day, each request with a KiB for what it makes beside its body. */
export const demoBudget = { bytes: 20 * 1024 * 1024, ofRequest: 1024 } as const;

const day = 24 * 3_600;

/**
 * Counts a request that may change something in a demo, in a transaction before that of its work: the demo's other requests wait for this row no longer than
 * that, and work that changes nothing has changed nothing. Throws RateLimited when the demo has taken all that it may.
 */
export async function spendDemoBudget(
  db: Db,
  { workspaceId, bytes, now }: { workspaceId: string; bytes: number; now: Temporal.Instant },
): Promise<void> {
  const limit = { bucket: 'demo_bytes', most: demoBudget.bytes, seconds: day };
  const spent = await spend(db, { counted: { workspaceId }, limit, cost: bytes + demoBudget.ofRequest, now });
  if (spent.isRefused)
    throw new RateLimited('This demo has taken all the data that a demo may take. Create an account to go on.', spent);
}
