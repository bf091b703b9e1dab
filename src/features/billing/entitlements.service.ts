import type { Tier } from '#contract/tiers.ts';
import { sql } from 'kysely';
import { entitlements } from '#contract/plans.ts';
import { isInTrial } from '#domain/allowance.ts';
import { beyondPlan } from '#domain/ledger-reasons.ts';
import type { PersonContext, TenantContext } from '#platform/context.ts';
import { PlanLimit } from '#platform/errors.ts';

const upgradeHint = 'Subscribe to Premium for more.';

/** Throws when the person's plans cover no further workspace. During a trial any number is allowed. */
export async function assertMayOwnAnother({ db, actor: { userId }, now, billing }: PersonContext): Promise<void> {
  if (billing !== 'on') return;
  const { rows } = await sql<{ tier: Tier; trial_ends_at: string | null }>`
    select w.subscription_tier as tier, p.trial_ends_at
      from workspace_members m join workspaces w on w.id = m.workspace_id join profiles p on p.id = m.user_id
     where m.user_id = ${userId} and m.role = 'owner' and w.delete_after is null`.execute(db);
  const trialEnds = rows[0]?.trial_ends_at ?? null;
  // A trial begins with the first workspace of one's own: who was only a member elsewhere has none yet.
  if (trialEnds === null || isInTrial({ trial_ends_at: trialEnds }, now)) return;
  if (rows.some(({ tier }) => entitlements[tier].workspaces === null)) return;
  const { name } = entitlements[rows.some(({ tier }) => tier === 'basic') ? 'basic' : 'free'];
  throw new PlanLimit(`The ${name} plan includes one workspace. ${upgradeHint}`);
}

/** Throws when the plan of the owner covers other workspaces and not this one: what is started would never be sent. */
export async function assertMaySend({ db, workspaceId, now, billing }: TenantContext): Promise<void> {
  if (billing !== 'on') return;
  const { tier, trial_ends_at, is_beyond_plan } = await db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select(['subscription_tier as tier', 'trial_ends_at', sql<boolean>`is_beyond_plan(id)`.as('is_beyond_plan')])
    .executeTakeFirstOrThrow();
  if (is_beyond_plan && !isInTrial({ trial_ends_at }, now))
    throw new PlanLimit(`${beyondPlan(entitlements[tier].name).reason}. ${upgradeHint}`);
}
