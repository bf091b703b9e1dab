import type { AdminOverview } from '#contract/admin-overview.ts';
import { isAdministrator } from '#features/admin/overview.db.ts';
import type { PersonContext } from '#platform/context.ts';

/** What the admin console shows above its tabs. */
export async function adminOverview({ db, actor }: PersonContext): Promise<AdminOverview> {
  return { scope: (await isAdministrator(db, actor)) ? 'installation' : 'workspaces' };
}
