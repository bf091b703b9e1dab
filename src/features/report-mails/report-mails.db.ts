import { sql } from 'kysely';
import type { Db } from '#platform/database.ts';

/** What a mail says of who sends it. */
export async function findMailNames(
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<{ company: string; sender: string; email: string }> {
  const { rows } = await sql<{ company: string; sender: string; email: string }>`
    select w.company_name as company, coalesce(nullif(p.full_name, ''), p.email) as sender, p.email
      from workspaces w join profiles p on p.id = ${userId}
     where w.id = ${workspaceId}`.execute(db);
  const [names] = rows;
  if (names === undefined) throw new Error('a workspace without the person who acts in it');
  return names;
}
