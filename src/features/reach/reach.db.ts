import type { Db } from '#platform/database.ts';

export const findCompanyName = (db: Db, { workspaceId }: { workspaceId: string }) =>
  db.selectFrom('workspaces').where('id', '=', workspaceId).select('company_name').executeTakeFirstOrThrow();
