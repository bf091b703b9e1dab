import type { Db } from '#platform/database.ts';

const columns = [
  'id',
  'email',
  'full_name',
  'avatar_url',
  'time_zone',
  'notify_missed',
  'notify_over_plan',
  'is_demo',
  'created_at',
] as const;

export const findProfile = (db: Db, { userId }: { userId: string }) =>
  db.selectFrom('profiles').where('id', '=', userId).select(columns).executeTakeFirst();

/** Updates a profile; undefined fields stay as they are. */
export const updateProfileRow = (
  db: Db,
  {
    userId,
    changes,
  }: {
    userId: string;
    changes: {
      full_name?: string | undefined;
      avatar_url?: string | null;
      time_zone?: string | null | undefined;
      notify_missed?: boolean | undefined;
      notify_over_plan?: boolean | undefined;
      updated_at: string;
    };
  },
) => db.updateTable('profiles').set(changes).where('id', '=', userId).execute();

export const deleteProfile = (db: Db, { userId }: { userId: string }) =>
  db.deleteFrom('profiles').where('id', '=', userId).execute();
