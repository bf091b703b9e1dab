import { sql } from 'kysely';
import type { Change } from '#contract/realtime.ts';
import type { TenantContext } from '#platform/context.ts';

/** Tells the screens of the workspace, once the transaction commits, what to fetch again. */
export async function announce(
  { db, workspaceId }: Pick<TenantContext, 'db' | 'workspaceId'>,
  tables: readonly Change['table'][],
): Promise<void> {
  await sql`select pg_notify('cuebird_changes', ${JSON.stringify({ workspace: workspaceId, tables })})`.execute(db);
}

/** Wakes the dispatchers, once the transaction commits: something may come due before they meant to look. */
export async function wakeDispatchers({ db }: Pick<TenantContext, 'db'>): Promise<void> {
  await sql`select pg_notify('cuebird_due', '')`.execute(db);
}
