import { sql } from 'kysely';
import type { Db } from '#platform/database.ts';

type Of = { workspaceId: string };

const columns = ['workspace_id', 'sealed_secret', 'sealed_previous', 'previous_ends_at', 'changed_at'] as const;

export const findSigningSecret = (db: Db, { workspaceId }: Of) =>
  db.selectFrom('signing_secrets').where('workspace_id', '=', workspaceId).select(columns).executeTakeFirst();

export type SigningSecretRow = Awaited<ReturnType<typeof findSigningSecret>> & {};

/** Inserts a secret; undefined where there is one already. */
export const insertSigningSecret = (db: Db, { workspaceId, sealed, now }: Of & { sealed: string; now: string }) =>
  db
    .insertInto('signing_secrets')
    .values({ workspace_id: workspaceId, sealed_secret: sealed, changed_at: now })
    .onConflict((secret) => secret.column('workspace_id').doNothing())
    .returning(columns)
    .executeTakeFirst();

/** Replaces the secret, which becomes the previous one. An older previous one ends. */
export const replaceSigningSecret = (
  db: Db,
  { workspaceId, sealed, now, previousEndsAt }: Of & { sealed: string; now: string; previousEndsAt: string },
) =>
  db
    .updateTable('signing_secrets')
    .set({
      sealed_previous: sql`sealed_secret`,
      sealed_secret: sealed,
      previous_ends_at: previousEndsAt,
      changed_at: now,
    })
    .where('workspace_id', '=', workspaceId)
    .returning(columns)
    .executeTakeFirst();
