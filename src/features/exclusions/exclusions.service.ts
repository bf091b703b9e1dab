import { type Exclusion, exclusionOf } from '#domain/exclusions.ts';
import { pausesAmong } from '#features/contacts/contacts.service.ts';
import { skippedIn } from '#features/exclusions/skips.service.ts';
import type { TenantContext } from '#platform/context.ts';

/** A run that lies ahead, or would begin now. */
export type RunAhead = {
  /** Null while it has no job. */
  jobId: string | null;
  due: Temporal.Instant;
  /** The zone of people without one. */
  timezone: string;
};

/** What keeps each of these contacts from a run. */
export async function exclusionsOf(
  ctx: TenantContext,
  { jobId, due, timezone }: RunAhead,
  contactIds: readonly string[],
): Promise<(contactId: string) => Exclusion | null> {
  const skipped = jobId === null ? nobody : await skippedIn(ctx, jobId);
  const pauses = await pausesAmong(ctx, contactIds);
  if (skipped.size === 0 && pauses.size === 0) return () => null;
  const dueMs = due.epochMilliseconds;
  const at = { dueMs, nowMs: Math.max(dueMs, ctx.now.epochMilliseconds), timezone, isFirst: true };
  return (id) => {
    const pause = pauses.get(id) ?? { paused_until: null, timezone: null };
    return exclusionOf({ ...pause, is_skipped: skipped.has(id) }, at);
  };
}

const nobody: ReadonlySet<string> = new Set();
