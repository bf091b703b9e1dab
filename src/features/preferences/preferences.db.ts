import { sql } from 'kysely';
import type { ReceivingHours } from '#contract/receiving-hours.ts';
import type { Db } from '#platform/database.ts';

type Scope = { workspaceId: string };
type Of = Scope & { address: string };

/** The wishes of these addresses, each with the zone of the contact that has it. */
export async function findWishes(db: Db, { workspaceId, addresses }: Scope & { addresses: readonly string[] }) {
  const { rows } = await sql<{ address: string; hours: unknown; created_at: string; timezone: string | null }>`
    select p.address, p.hours, p.created_at, c.timezone
      from preferences p
      left join lateral (
        select timezone from contacts
         where workspace_id = ${workspaceId} and (email_key = p.address or phone = p.address) limit 1) c on true
     where p.workspace_id = ${workspaceId} and p.address = any (${addresses}::text[])
     order by p.address`.execute(db);
  return rows;
}

export async function hasWishes(db: Db, { workspaceId }: Scope): Promise<boolean> {
  const row = await db
    .selectFrom('preferences')
    .where('workspace_id', '=', workspaceId)
    .select('address')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The zone of the contact with this address key, or this number; null where it has none. */
export async function findZoneOf(db: Db, { workspaceId, address }: Of): Promise<string | null> {
  const row = await db
    .selectFrom('contacts')
    .where('workspace_id', '=', workspaceId)
    .where(address.includes('@') ? 'email_key' : 'phone', '=', address)
    .select('timezone')
    .executeTakeFirst();
  return row?.timezone ?? null;
}

export async function findSendingHours(db: Db, { workspaceId }: Scope): Promise<unknown> {
  const row = await db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select(sql<unknown>`settings -> 'sendingHours'`.as('hours'))
    .executeTakeFirst();
  return row?.hours ?? null;
}

/** Writes a wish where there is none, or one that was made after `since`, or `replaced`, which was judged. Returns whether it did. It makes an earlier wish no younger. */
export async function upsertWish(
  db: Db,
  {
    workspaceId,
    address,
    hours,
    replaced,
    since,
    now,
  }: Of & { hours: ReceivingHours; replaced: ReceivingHours | null; since: string; now: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into preferences as p (workspace_id, address, hours, created_at, updated_at)
    values (${workspaceId}, ${address}, ${JSON.stringify(hours)}::jsonb, ${now}, ${now})
        on conflict (workspace_id, address) do update set hours = excluded.hours, updated_at = excluded.updated_at
     where p.created_at > ${since} or p.hours = ${replaced === null ? null : JSON.stringify(replaced)}::jsonb
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Removes a wish that was made after `since`. Returns whether it did. */
export async function deleteWish(db: Db, { workspaceId, address, since }: Of & { since: string }): Promise<boolean> {
  const { rows } = await sql`
    delete from preferences
     where workspace_id = ${workspaceId} and address = ${address} and created_at > ${since} returning 1`.execute(db);
  return rows.length > 0;
}
