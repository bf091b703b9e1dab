import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { answerKey, deleteKey, findKey, insertKey, type KeyPlace } from '#http/idempotency.db.ts';
import type { PersonContext, TenantContext } from '#platform/context.ts';
import { Conflict, Invalid, Unprocessable } from '#platform/errors.ts';
import { AfterCommit } from '#platform/handler.ts';
import type { SecretBox } from '#platform/secrets.ts';

type Call = {
  key: string;
  request: Request;
  rawBody: string;
  status: number;
  /** Seals the answer that is kept, where it holds a secret. */
  sealedBy: SecretBox | null;
};

/**
 * Answers a repeated POST with its first answer. The key lives in the transaction of the work itself, or until that which
 * is left to be finished has ended: a request that failed leaves none behind and can be sent again. Throws Unprocessable
 * for the same key with another request, Conflict while the first is in flight.
 */
export async function onceByKey(
  ctx: PersonContext | TenantContext,
  { call, work }: { call: Call; work: () => Promise<unknown> },
): Promise<unknown> {
  if (call.key === '' || call.key.length > 200)
    throw new Invalid([{ path: 'Idempotency-Key', message: 'must be 1 to 200 characters' }]);
  const { db, actor } = ctx;
  const workspaceId = 'workspaceId' in ctx ? ctx.workspaceId : null;
  // Persons and keys each have their own: no two of them can stand in for each other.
  const sender =
    actor.kind === 'user' ? { user_id: actor.userId, api_key_id: null } : { user_id: null, api_key_id: actor.apiKeyId };
  const senderId = sender.user_id ?? sender.api_key_id;
  const place = { ...sender, workspace_id: workspaceId, key: call.key };
  const scope = `${workspaceId ?? ''} ${senderId} ${call.key}`;
  const kept = keeping(call, { workspaceId: workspaceId ?? '', senderId });
  const hash = createHash('sha256')
    .update(`${call.request.method} ${new URL(call.request.url).pathname}\n${call.rawBody}`)
    .digest('base64url');

  const { rows } = await sql<{
    free: boolean;
  }>`select pg_try_advisory_xact_lock(hashtextextended(${scope}, 2)) as free`.execute(db);
  if (rows[0]?.free !== true) throw inFlight();

  const known = await findKey(db, place);
  if (known !== undefined) {
    if (known.request_hash !== hash) throw new Unprocessable('This Idempotency-Key was used with another request');
    if (known.status !== null) return kept.read(known.answer ?? 'null');
    if (!isAbandoned(known.created_at, ctx.now)) throw inFlight();
    await deleteKey(db, place);
  }
  const answer = await work();
  if (answer instanceof AfterCommit) {
    await insertKey(db, { ...place, request_hash: hash, status: null, answer: null });
    return finishing(answer, { place, keep: (finished) => ({ status: call.status, answer: kept.write(finished) }) });
  }
  await insertKey(db, { ...place, request_hash: hash, status: call.status, answer: kept.write(answer) });
  return answer;
}

const inFlight = () => new Conflict('A request with this Idempotency-Key is still in flight');

/** What was not answered in this time never will be: its process has died. */
const isAbandoned = (since: string, now: Temporal.Instant) =>
  Temporal.Instant.compare(Temporal.Instant.from(since).add({ minutes: 15 }), now) < 0;

/** The key stands for work that goes on, and is let go where that fails. */
const finishing = (
  unfinished: AfterCommit<unknown>,
  { place, keep }: { place: KeyPlace; keep: (answer: unknown) => { status: number; answer: string } },
) =>
  new AfterCommit(async (inTransaction) => {
    try {
      const answer = await unfinished.finish(inTransaction);
      await inTransaction((db) => answerKey(db, { place, kept: keep(answer) }));
      return answer;
    } catch (error) {
      await inTransaction((db) => deleteKey(db, place));
      throw error;
    }
  });

/** How an answer is kept: as it is, or, where it holds a secret, sealed for this very key. */
function keeping(
  { key, sealedBy }: Call,
  { workspaceId, senderId }: { workspaceId: string; senderId: string | null },
): { write: (answer: unknown) => string; read: (text: string) => unknown } {
  if (sealedBy === null) return { write: (answer) => JSON.stringify(answer), read: (text) => JSON.parse(text) };
  const place = { workspaceId, purpose: `the answer that ${senderId} got for ${key}` };
  return {
    write: (answer) => sealedBy.seal(JSON.stringify(answer), place),
    read: (text) => JSON.parse(sealedBy.open(text, place)),
  };
}
