import type { Audience } from '#contract/audience.ts';
import type { GroupRule } from '#contract/contact-groups.ts';
import * as rows from '#features/contact-groups/contact-groups.db.ts';
import type { TenantContext } from '#platform/context.ts';

/** How many people an audience has now, or a rule that is not saved yet. */
export async function countPeople(
  { db, workspaceId }: TenantContext,
  { audience = {}, rule }: { audience?: Audience | undefined; rule?: GroupRule | undefined },
): Promise<number> {
  if (rule !== undefined) return rows.countByRule(db, { workspaceId, rule });
  return rows.countPeople(db, { ...audience, workspaceId });
}
