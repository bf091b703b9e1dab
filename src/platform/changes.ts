import { sql } from 'kysely';
import type { Change } from '#contract/realtime.ts';
import type { TenantContext } from '#platform/context.ts';

/** Announces to the workspace's clients what to fetch again, once the transaction commits. */
export async function announce(
  { db, workspaceId }: Pick<TenantContext, 'db' | 'workspaceId'>,
  tables: readonly Change['table'][],
): Promise<void> {
  await sql`select pg_notify('cuebird_changes', ${JSON.stringify({ workspace: workspaceId, tables })})`.execute(db);
}

/** Wakes the sender of webhooks, once the transaction commits. */
export async function wakeWebhooks({ db }: Pick<TenantContext, 'db'>): Promise<void> {
  await sql`select pg_notify('cuebird_webhooks', '')`.execute(db);
}

/** Wakes the dispatchers once the transaction commits: a job may be due before their next poll. */
export async function wakeDispatchers({ db }: Pick<TenantContext, 'db'>): Promise<void> {
  await sql`select pg_notify('cuebird_due', '')`.execute(db);
}
