import { sql } from 'kysely';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Erasure } from '#contract/erasures.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { type Listed, readLatest } from '#platform/page.ts';

type Scope = { workspaceId: string };

/** How long entries of the audit log are kept; `delete_old_acts` keeps them so long. */
const auditLogDays = 400;

const selectErasures = (db: Db, { workspaceId }: Scope) =>
  db
    .selectFrom('erasures as e')
    .leftJoin('profiles as p', 'p.id', 'e.asked_by')
    .where('e.workspace_id', '=', workspaceId)
    .select([
      'e.id',
      'e.asked_how',
      'p.full_name as asked_by_name',
      'e.asked_at',
      'e.first_pass_at',
      'e.done_at',
      'e.counts',
      'e.named_more',
      // As they are called now: a name that is stored here would name the person for ever.
      sql<Erasure['named_in']>`(
        select coalesce(jsonb_agg(jsonb_build_object('kind', n.named ->> 'kind', 'id', n.named ->> 'id', 'name', coalesce(r.name, t.name, g.name)) order by n.at), '[]')
          from jsonb_array_elements(e.named_in) with ordinality as n (named, at)
          left join reminders r on n.named ->> 'kind' = 'reminder' and r.workspace_id = e.workspace_id and r.id = (n.named ->> 'id')::uuid and r.status <> 'deleted'
          left join templates t on n.named ->> 'kind' = 'template' and t.workspace_id = e.workspace_id and t.id = (n.named ->> 'id')::uuid
          left join contact_groups g on n.named ->> 'kind' = 'group' and g.workspace_id = e.workspace_id and g.id = (n.named ->> 'id')::uuid
         where coalesce(r.name, t.name, g.name) is not null)`.as('named_in'),
      sql<string>`e.asked_at + ${auditLogDays} * interval '1 day'`.as('in_audit_log_until'),
    ]);

/** A page of erasures, newest first. */
export const findErasures = (
  db: Db,
  { after, limit, ...scope }: Scope & { after: Position | null; limit: number },
): Promise<Listed<Erasure>> =>
  readLatest(db, { query: selectErasures(db, scope), by: 'e.asked_at', after, limit, large: ['counts', 'named_in'] });

export const findErasure = (db: Db, { id, ...scope }: Scope & { id: string }) =>
  selectErasures(db, scope).where('e.id', '=', id).executeTakeFirstOrThrow();

/** How many erasures of the workspace have not ended, which no other request changes until the transaction ends. */
export async function lockUnfinished(db: Db, { workspaceId }: Scope): Promise<number> {
  await sql`select from workspaces where id = ${workspaceId} for no key update`.execute(db);
  const { count } = await db
    .selectFrom('erasures')
    .where('workspace_id', '=', workspaceId)
    .where('done_at', 'is', null)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export const insertErasure = (
  db: Db,
  erasure: {
    workspaceId: string;
    id: string;
    sealed: string;
    hashes: readonly string[];
    askedHow: string;
    askedBy: string | null;
    now: string;
  },
) =>
  db
    .insertInto('erasures')
    .values({
      id: erasure.id,
      workspace_id: erasure.workspaceId,
      sealed_people: erasure.sealed,
      hashes: [...erasure.hashes],
      asked_how: erasure.askedHow,
      asked_by: erasure.askedBy,
      asked_at: erasure.now,
    })
    .execute();

/** Which of these the suppression list has because they were erased. */
export async function findErasedEntries(
  db: Db,
  { workspaceId, channel, recipients }: Scope & { channel: ChannelType; recipients: readonly string[] },
): Promise<string[]> {
  if (recipients.length === 0) return [];
  const found = await db
    .selectFrom('suppressions')
    .where('workspace_id', '=', workspaceId)
    .where('channel', '=', channel)
    .where('recipient', 'in', recipients)
    .where('reason', '=', 'erased')
    .select('recipient')
    .execute();
  return found.map(({ recipient }) => recipient);
}

/** The sealed key of the hashes of a workspace; undefined before its first erasure. */
export const findSecret = async (db: Db, { workspaceId }: Scope): Promise<string | undefined> =>
  (
    await db
      .selectFrom('erasure_secrets')
      .where('workspace_id', '=', workspaceId)
      .select('sealed_secret')
      .executeTakeFirst()
  )?.sealed_secret;

/** Stores a key unless there is one, and returns what is stored. */
export async function ensureSecret(db: Db, { workspaceId, sealed }: Scope & { sealed: string }): Promise<string> {
  await db
    .insertInto('erasure_secrets')
    .values({ workspace_id: workspaceId, sealed_secret: sealed })
    .onConflict((known) => known.column('workspace_id').doNothing())
    .execute();
  return (await findSecret(db, { workspaceId })) ?? sealed;
}
