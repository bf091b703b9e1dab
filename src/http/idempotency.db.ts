import type { ExpressionBuilder } from 'kysely';
import type { Db } from '#platform/database.ts';
import type { Schema } from '#platform/schema.ts';

/** Whose idempotency key it is: a person's or an API key's, in a workspace or, for a person, outside of any. */
export type KeyScope = { workspace_id: string | null; user_id: string | null; api_key_id: string | null; key: string };

/** What is stored for a key; status and answer are null while the request is in flight. */
type Kept = { status: number | null; answer: string | null };

export const findKey = (db: Db, keyScope: KeyScope) =>
  db
    .selectFrom('idempotency_keys')
    .where(at(keyScope))
    .select(['request_hash', 'status', 'answer', 'created_at'])
    .executeTakeFirst();

export const insertKey = (db: Db, row: KeyScope & Kept & { request_hash: string }) =>
  db.insertInto('idempotency_keys').values(row).execute();

export const answerKey = (db: Db, { keyScope, kept }: { keyScope: KeyScope; kept: Kept }) =>
  db.updateTable('idempotency_keys').set(kept).where(at(keyScope)).execute();

export const deleteKey = (db: Db, keyScope: KeyScope) =>
  db.deleteFrom('idempotency_keys').where(at(keyScope)).execute();

const at =
  ({ workspace_id, user_id, api_key_id, key }: KeyScope) =>
  (row: ExpressionBuilder<Schema, 'idempotency_keys'>) =>
    row.and([
      row('workspace_id', workspace_id === null ? 'is' : '=', workspace_id),
      row('user_id', user_id === null ? 'is' : '=', user_id),
      row('api_key_id', api_key_id === null ? 'is' : '=', api_key_id),
      row('key', '=', key),
    ]);
