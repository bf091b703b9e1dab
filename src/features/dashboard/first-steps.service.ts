import type { FirstSteps } from '#contract/dashboard.ts';
import * as rows from '#features/dashboard/first-steps.db.ts';
import { personOf, type MemberContext, type TenantContext } from '#platform/context.ts';

/**
 * The first steps of a workspace; null once all are done, for a member who has dismissed them, and for a program.
 * @param options.hasSandbox messages arrive there, so no channel is needed to begin
 */
export async function firstStepsOf(
  { db, workspaceId, actor }: TenantContext,
  { hasSandbox }: { hasSandbox: boolean },
): Promise<FirstSteps | null> {
  const userId = personOf(actor);
  const done = userId === null ? null : await rows.findFirstSteps(db, { workspaceId, userId });
  if (done === null) return null;
  const steps = { ...done, channel: done.channel || hasSandbox };
  return Object.values(steps).every(Boolean) ? null : steps;
}

/** For this member; the others still see them. */
export async function dismissFirstSteps({ db, workspaceId, actor, now }: MemberContext): Promise<void> {
  await rows.dismissFirstSteps(db, { workspaceId, userId: actor.userId, now: now.toString() });
}
