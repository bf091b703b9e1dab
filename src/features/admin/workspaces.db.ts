import { sql } from 'kysely';
import type { z } from 'zod';
import type { Demos } from '#contract/admin-people.ts';
import type { AdminWorkspace, AdminWorkspaceDetails } from '#contract/admin-workspaces.ts';
import { Analytics, analyticsLimits } from '#contract/analytics.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { type Listed, readPage } from '#platform/page.ts';

type Asked = { search: string | null; after: Position | null; limit: number; demos: Demos };

const ofInstallation = (asked: {
  wanted: string | null;
  search: string | null;
  after: Position | null;
  page: number;
  demos: Demos;
}) =>
  sql<AdminWorkspace>`(
    select * from workspaces_of_installation(${asked.wanted}::uuid, ${asked.search}::text, ${asked.after?.at ?? null}::timestamptz,
                                             ${asked.after?.id ?? null}::uuid, ${asked.page}::integer, ${asked.demos}::text))`;

const own = ({ search, after, page }: { search: string | null; after: Position | null; page: number }) =>
  sql<AdminWorkspace>`(
    select * from own_workspaces(${search}::text, ${after?.at ?? null}::timestamptz, ${after?.id ?? null}::uuid, ${page}::integer))`;

/** All workspaces of the installation, or those that the caller administers. */
export function findWorkspaces(
  db: Db,
  { isAll, limit, ...asked }: Asked & { isAll: boolean },
): Promise<Listed<AdminWorkspace>> {
  const page = limit + 1;
  const query = isAll ? ofInstallation({ ...asked, wanted: null, page }) : own({ ...asked, page });
  return readPage(db, { query, limit, large: ['description'] });
}

export async function findWorkspace(db: Db, { id }: { id: string }): Promise<AdminWorkspace | undefined> {
  const { rows } = await ofInstallation({ wanted: id, search: null, after: null, page: 1, demos: 'true' }).execute(db);
  return rows[0];
}

export async function findMembers(db: Db, { id }: { id: string }): Promise<AdminWorkspaceDetails['members']> {
  const { rows } = await sql<AdminWorkspaceDetails['members'][number]>`
    select * from members_for_administrator(${id}::uuid)`.execute(db);
  return rows;
}

const Counted = Analytics.omit({ success_rate: true });

/** The same figures as `analyticsOf` gives members, except those that are computed from others. */
export async function readAnalytics(db: Db, { id }: { id: string }): Promise<z.output<typeof Counted> | null> {
  const { rows } = await sql<{ figures: unknown }>`
    select analytics_for_administrator(${id}::uuid, ${analyticsLimits.recent}) as figures`.execute(db);
  return Counted.nullable().parse(rows[0]?.figures ?? null);
}

/** Returns whether anything changed; null where there is no such workspace. */
export async function setSuspended(
  db: Db,
  { id, suspends, now }: { id: string; suspends: boolean; now: Temporal.Instant },
): Promise<boolean | null> {
  const { rows } = await sql<{ is_changed: boolean | null }>`
    select set_workspace_suspended(${id}::uuid, ${suspends}, ${now.toString()}::timestamptz) as is_changed`.execute(db);
  return rows[0]?.is_changed ?? null;
}

export async function restoreDeleted(
  db: Db,
  { id, now }: { id: string; now: Temporal.Instant },
): Promise<boolean | null> {
  const { rows } = await sql<{ is_changed: boolean | null }>`
    select restore_deleted_workspace(${id}::uuid, ${now.toString()}::timestamptz) as is_changed`.execute(db);
  return rows[0]?.is_changed ?? null;
}
