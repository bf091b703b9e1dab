import { templateLimits } from '#contract/templates.ts';
import { type TemplateVersion } from '#contract/template-versions.ts';
import { sql } from 'kysely';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { readPage } from '#platform/page.ts';

type Of = { workspaceId: string; templateId: string };

/** The fields of a template that a version contains. */
export type Written = Pick<TemplateVersion, 'name' | 'description' | 'content' | 'variables'>;

/** Stores the current content of a template as a version, and deletes the oldest. */
export async function insertVersion(
  db: Db,
  row: Of & { version: number; restoredFrom: number | null; createdBy: string | null; now: string; written: Written },
): Promise<void> {
  const { name, description, content, variables } = row.written;
  await db
    .insertInto('template_versions')
    .values({
      workspace_id: row.workspaceId,
      template_id: row.templateId,
      version: row.version,
      restored_from: row.restoredFrom,
      created_by: row.createdBy,
      created_at: row.now,
      name,
      description,
      content: JSON.stringify(content),
      variables: JSON.stringify(variables),
    })
    .execute();
  await db
    .deleteFrom('template_versions')
    .where('workspace_id', '=', row.workspaceId)
    .where('template_id', '=', row.templateId)
    .where('version', '<=', row.version - templateLimits.versions)
    .execute();
}

const selectVersions = (db: Db, { workspaceId, templateId }: Of) =>
  db
    .selectFrom('template_versions as v')
    .leftJoin('profiles as p', 'p.id', 'v.created_by')
    .where('v.workspace_id', '=', workspaceId)
    .where('v.template_id', '=', templateId)
    .select([
      'v.id',
      'v.version',
      'v.name',
      'v.description',
      'v.content',
      'v.variables',
      'v.restored_from',
      'v.created_at',
      'p.id as writer_id',
      'p.full_name as writer_name',
    ]);

export type VersionRow = Awaited<ReturnType<typeof findVersions>>['rows'][number];

/** A page of versions, newest first. */
export function findVersions(db: Db, { after, limit, ...of }: Of & { after: Position | null; limit: number }) {
  let query = selectVersions(db, of)
    .orderBy('v.version', 'desc')
    .limit(limit + 1);
  if (after !== null)
    query = query.where(sql<boolean>`v.version < (select version from template_versions where id = ${after.id}::uuid)`);
  return readPage(db, { query, limit, large: ['description', 'content', 'variables'] });
}

export const findVersion = (db: Db, { version, ...of }: Of & { version: number }) =>
  selectVersions(db, of).where('v.version', '=', version).executeTakeFirst();
