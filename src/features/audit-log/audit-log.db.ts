import { sql } from 'kysely';
import type { ActKind } from '#contract/acts.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { readLatest } from '#platform/page.ts';

export type ActMatches = {
  who?: string | undefined;
  kind?: ActKind | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** The `like` pattern to find in names, addresses and details. */
  pattern?: string | null;
};

const columns = [
  'id',
  'created_at',
  'actor_kind',
  'actor_id',
  'actor_name',
  'actor_email',
  'action',
  'target',
  'details',
  'client_address',
] as const;

/** The acts of a workspace, or those that belong to none. */
export function findActs(
  db: Db,
  {
    workspaceId,
    matches: { who, kind, from, to, pattern = null },
    after,
    limit,
  }: { workspaceId: string | null; matches: ActMatches; after: Position | null; limit: number },
) {
  let query = db
    .selectFrom('audit_log')
    .where('workspace_id', workspaceId === null ? 'is' : '=', workspaceId)
    .select(columns);
  if (who !== undefined) query = query.where('who_id', '=', who);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (from !== undefined) query = query.where('created_at', '>=', from);
  if (to !== undefined) query = query.where('created_at', '<', to);
  if (pattern !== null)
    query = query.where(
      sql<boolean>`folded(concat_ws(' ', actor_name, actor_email, action, client_address, details::text)) like folded(${pattern})`,
    );
  return readLatest(db, { query, by: 'created_at', after, limit, large: ['details'] });
}

/** Every person and API key in the log, by the latest name of each: one step in the index for each. */
export async function findActors(
  db: Db,
  { workspaceId, limit }: { workspaceId: string; limit: number },
): Promise<{ id: string; name: string | null; email: string | null }[]> {
  const { rows } = await sql<{ id: string; name: string | null; email: string | null }>`
    with recursive listed as (
      (select who_id, actor_id, actor_name, actor_email, details
         from audit_log
        where workspace_id = ${workspaceId} and who_id is not null
        order by who_id, created_at desc, id desc limit 1)
      union all
      select next.*
        from listed
       cross join lateral (
         select who_id, actor_id, actor_name, actor_email, details
           from audit_log
          where workspace_id = ${workspaceId} and who_id > listed.who_id
          order by who_id, created_at desc, id desc limit 1) next
    )
    select who_id as id,
           case when actor_id is null then details ->> 'name' else actor_name end as name,
           case when actor_id is null then details ->> 'email' else actor_email end as email
      from listed limit ${limit}`.execute(db);
  return rows;
}

export async function isWorkspace(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ is_there: boolean }>`select workspace_exists(${id}) as is_there`.execute(db);
  return rows[0]?.is_there === true;
}

/** The deletions of workspaces, latest first. */
export function findDeletions(db: Db, { after, limit }: { after: Position | null; limit: number }) {
  const query = db
    .selectFrom('audit_log')
    .where('action', '=', 'workspace.deleted')
    .where('workspace_id', 'is not', null)
    .select(['id', 'workspace_id', 'created_at', sql<string | null>`details ->> 'name'`.as('name')]);
  return readLatest(db, { query, by: 'created_at', after, limit, large: ['name'] });
}
