import { createHash } from 'node:crypto';
import { sql, type ExpressionBuilder } from 'kysely';
import type { PersonContext, TenantContext } from '#platform/context.ts';
import { Conflict, Invalid, RateLimited, Unprocessable } from '#platform/errors.ts';
import { AfterCommit } from '#platform/handler.ts';
import { type Counted, spend } from '#platform/rate-limit.ts';
import type { SecretBox, SecretContext } from '#platform/secrets.ts';
import type { Db } from '#platform/database.ts';
import type { Schema } from '#platform/schema.ts';

type Call = {
  key: string;
  request: Request;
  rawBody: string;
  status: number;
  /** Seals the stored answer; null where it holds no secret. */
  sealedBy: SecretBox | null;
};

/** What is stored for repeated requests. Docs: docs/operations.md. */
export const keptAnswers = {
  /** Characters of an answer, in JSON and perhaps sealed. A longer one is not kept. */
  longest: 16 * 1024,
  /** The most characters of answers that are kept for a workspace, or for a person outside of any, in a day; then only keys are. */
  ofDay: 64 * 1024 * 1024,
  /** The most keys that are kept for them in a day; more are refused. */
  keysOfDay: 1_000_000,
} as const;

/**
 * Answers a repeated POST with its first answer. The key is stored in the transaction of the work, or held until the
 * work after the commit has ended: a failed request leaves no key and can be sent again, and so does one that changed nothing. Throws Unprocessable
 * for the same key with another request, Conflict while the first is in flight and where its answer was not kept, RateLimited above the limits.
 */
export async function onceByKey(
  ctx: PersonContext | TenantContext,
  { call, work }: { call: Call; work: () => Promise<unknown> },
): Promise<unknown> {
  if (call.key === '' || call.key.length > 200)
    throw new Invalid([{ path: 'Idempotency-Key', message: 'must be 1 to 200 characters' }]);
  const { db, actor } = ctx;
  const workspaceId = 'workspaceId' in ctx ? ctx.workspaceId : null;
  // The key is stored with its sender, so that the same text of two senders is two keys.
  const sender =
    actor.kind === 'user' ? { user_id: actor.userId, api_key_id: null } : { user_id: null, api_key_id: actor.apiKeyId };
  const senderId = sender.user_id ?? sender.api_key_id;
  const keyScope = { ...sender, workspace_id: workspaceId, key: call.key };
  const scope = `${workspaceId ?? ''} ${senderId} ${call.key}`;
  const kept = keeping(call, { workspaceId, senderId });
  const hash = createHash('sha256')
    .update(`${call.request.method} ${addressOf(call.request)}\n${call.rawBody}`)
    .digest('base64url');
  const counted = workspaceId === null ? { userId: senderId } : { workspaceId };

  const { rows } = await sql<{
    free: boolean;
  }>`select pg_try_advisory_xact_lock(hashtextextended(${scope}, 2)) as free`.execute(db);
  if (rows[0]?.free !== true) throw inFlight();

  const known = await findKey(db, keyScope);
  if (known !== undefined) {
    if (known.request_hash !== hash) throw new Unprocessable('This Idempotency-Key was used with another request');
    if (known.status !== null && known.answer === null) throw carriedOut();
    if (known.status !== null) return kept.read(known.answer ?? 'null');
    if (!isAbandoned(known.created_at, ctx.now)) throw inFlight();
    await deleteKey(db, keyScope);
  }
  const answer = await work();
  const keep = async (finished: unknown, on: Db) => ({
    status: call.status,
    answer: await withinBudget(kept.write(finished), { db: on, counted, now: ctx.now }),
  });
  if (!(answer instanceof AfterCommit) && !(await hasChanged(db))) return answer;
  await spendKey(db, { counted, now: ctx.now });
  if (answer instanceof AfterCommit) {
    await insertKey(db, { ...keyScope, request_hash: hash, status: null, answer: null });
    return finishing(answer, { keyScope, keep });
  }
  await insertKey(db, { ...keyScope, request_hash: hash, ...(await keep(answer, db)) });
  return answer;
}

const addressOf = ({ url }: Request) => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** PostgreSQL gives a transaction a number with its first change, or lock of a row. */
async function hasChanged(db: Db): Promise<boolean> {
  const { rows } = await sql<{ changed: boolean }>`
    select pg_current_xact_id_if_assigned() is not null as changed`.execute(db);
  return rows[0]?.changed === true;
}

type Counting = { counted: Counted; now: Temporal.Instant };

const day = 24 * 3_600;

async function spendKey(db: Db, { counted, now }: Counting): Promise<void> {
  const limit = { bucket: 'idempotency_keys', most: keptAnswers.keysOfDay, seconds: day };
  const spent = await spend(db, { counted, limit, now });
  if (spent.isRefused)
    throw new RateLimited(
      `More than ${keptAnswers.keysOfDay.toLocaleString('en')} requests with an Idempotency-Key in a day.`,
      spent,
    );
}

/** The text, if it may be kept. */
async function withinBudget(text: string, { db, counted, now }: Counting & { db: Db }): Promise<string | null> {
  if (text.length > keptAnswers.longest) return null;
  const limit = { bucket: 'kept_answers', most: keptAnswers.ofDay, seconds: day };
  const { isRefused } = await spend(db, { counted, limit, now, cost: text.length });
  return isRefused ? null : text;
}

const carriedOut = () =>
  new Conflict(
    'The request with this Idempotency-Key was carried out, once. Its answer was too large to be kept: look at what it changed.',
  );

const inFlight = () => new Conflict('A request with this Idempotency-Key is still in flight');

/** A request in flight for this long has no answer because its process died. */
const isAbandoned = (since: string, now: Temporal.Instant) =>
  Temporal.Instant.compare(Temporal.Instant.from(since).add({ minutes: 15 }), now) < 0;

/** Holds the key while the work continues, and releases it when the work fails. */
const finishing = (
  unfinished: AfterCommit<unknown>,
  { keyScope, keep }: { keyScope: KeyScope; keep: (answer: unknown, db: Db) => Promise<Kept> },
) =>
  new AfterCommit(async (inTransaction) => {
    try {
      const answer = await unfinished.finish(inTransaction);
      await inTransaction(async (db) => answerKey(db, { keyScope, kept: await keep(answer, db) }));
      return answer;
    } catch (error) {
      await inTransaction((db) => deleteKey(db, keyScope));
      throw error;
    }
  });

type Sender = { workspaceId: string | null; senderId: string | null; key: string };

/** The context that a sealed answer is bound to: it opens for this sender and key only. */
export const answerContext = ({ workspaceId, senderId, key }: Sender): SecretContext => ({
  workspaceId: workspaceId ?? '',
  purpose: `the answer that ${senderId} got for ${key}`,
});

/** How an answer is stored: as it is, or sealed where it holds a secret. */
function keeping(
  { key, sealedBy }: Call,
  { workspaceId, senderId }: Omit<Sender, 'key'>,
): { write: (answer: unknown) => string; read: (text: string) => unknown } {
  if (sealedBy === null) return { write: (answer) => JSON.stringify(answer ?? null), read: (text) => JSON.parse(text) };
  const context = answerContext({ workspaceId, senderId, key });
  return {
    write: (answer) => sealedBy.seal(JSON.stringify(answer ?? null), context),
    read: (text) => JSON.parse(sealedBy.open(text, context)),
  };
}

/** Whose idempotency key it is: a person's or an API key's, in a workspace or, for a person, outside of any. */
type KeyScope = { workspace_id: string | null; user_id: string | null; api_key_id: string | null; key: string };

/** What is stored for a key; status and answer are null while the request is in flight, and the answer alone where it is not kept. */
type Kept = { status: number | null; answer: string | null };

const findKey = (db: Db, keyScope: KeyScope) =>
  db
    .selectFrom('idempotency_keys')
    .where(at(keyScope))
    .select(['request_hash', 'status', 'answer', 'created_at'])
    .executeTakeFirst();

const insertKey = (db: Db, row: KeyScope & Kept & { request_hash: string }) =>
  db.insertInto('idempotency_keys').values(row).execute();

const answerKey = (db: Db, { keyScope, kept }: { keyScope: KeyScope; kept: Kept }) =>
  db.updateTable('idempotency_keys').set(kept).where(at(keyScope)).execute();

const deleteKey = (db: Db, keyScope: KeyScope) => db.deleteFrom('idempotency_keys').where(at(keyScope)).execute();

const at =
  ({ workspace_id, user_id, api_key_id, key }: KeyScope) =>
  (row: ExpressionBuilder<Schema, 'idempotency_keys'>) =>
    row.and([
      row('workspace_id', workspace_id === null ? 'is' : '=', workspace_id),
      row('user_id', user_id === null ? 'is' : '=', user_id),
      row('api_key_id', api_key_id === null ? 'is' : '=', api_key_id),
      row('key', '=', key),
    ]);
