import type { Db } from '#platform/database.ts';

export const findOwnEmail = (db: Db, { userId }: { userId: string }) =>
  db.selectFrom('profiles').where('id', '=', userId).select('email').executeTakeFirst();
