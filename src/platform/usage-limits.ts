import { type Usage, type UsageLimit, usageLimits, usageSentences } from '#contract/limits.ts';
import type { Actor } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';
import { RateLimited } from '#platform/errors.ts';
import { type Counted, spend } from '#platform/rate-limit.ts';

/** Who uses it. An API key counts for its workspace alone; a hook has no actor. */
type User = { db: Db; now: Temporal.Instant; workspaceId?: string; actor?: Actor };

/**
 * Counts an action before it begins. Throws RateLimited over the limit. Committed before the work, so that failed work
 * counts too, and no one waits for the row lock during the work.
 */
export async function spendUsage(
  user: User,
  { usage, cost = 1 }: { usage: Usage; cost?: number | undefined },
): Promise<void> {
  const limits: readonly UsageLimit[] = usageLimits[usage];
  for (const limit of limits) {
    const counted = countedOf(user, limit);
    if (counted === null) continue;
    const { most, seconds } = limit;
    const bucket = `${usage}.${seconds}`;
    const spent = await spend(user.db, { counted, limit: { bucket, most, seconds }, cost, now: user.now });
    if (spent.isRefused) throw new RateLimited(usageSentences[usage], spent);
  }
}

function countedOf({ actor, workspaceId }: User, { per }: UsageLimit): Counted | null {
  if (per === 'person') return actor?.kind === 'user' ? { userId: actor.userId } : null;
  return workspaceId === undefined ? null : { workspaceId };
}
