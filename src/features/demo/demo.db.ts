import { sql } from 'kysely';
import type { Db } from '#platform/database.ts';

/** What follows in this transaction happens in the workspace. */
export const enterWorkspace = (db: Db, { workspaceId }: { workspaceId: string }) =>
  sql`select set_config('app.workspace_id', ${workspaceId}, true)`.execute(db);
