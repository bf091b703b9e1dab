import type { Db } from '#platform/database.ts';

export async function isAdministrator(db: Db, { userId }: { userId: string }): Promise<boolean> {
  const person = await db.selectFrom('profiles').where('id', '=', userId).select('is_system_admin').executeTakeFirst();
  return person?.is_system_admin === true;
}
