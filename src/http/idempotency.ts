import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { PersonContext, TenantContext } from '#platform/context.ts';
import { Conflict, Invalid, Unprocessable } from '#platform/errors.ts';
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
 * Answers a repeated POST with its first answer. The key lives in the transaction of the work itself: a request that
 * failed leaves none behind and can be sent again. Throws Unprocessable for the same key with another request, Conflict
 * while the first is in flight.
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
  const scope = `${workspaceId ?? ''} ${senderId} ${call.key}`;
  const kept = keeping(call, { workspaceId: workspaceId ?? '', senderId });
  const hash = createHash('sha256')
    .update(`${call.request.method} ${new URL(call.request.url).pathname}\n${call.rawBody}`)
    .digest('base64url');

  const { rows } = await sql<{
    free: boolean;
  }>`select pg_try_advisory_xact_lock(hashtextextended(${scope}, 2)) as free`.execute(db);
  if (rows[0]?.free !== true) throw new Conflict('A request with this Idempotency-Key is still in flight');

  const known = await db
    .selectFrom('idempotency_keys')
    .where(actor.kind === 'user' ? 'user_id' : 'api_key_id', '=', senderId)
    .where('workspace_id', workspaceId === null ? 'is' : '=', workspaceId)
    .where('key', '=', call.key)
    .select(['request_hash', 'answer'])
    .executeTakeFirst();
  if (known !== undefined) {
    if (known.request_hash !== hash) throw new Unprocessable('This Idempotency-Key was used with another request');
    return kept.read(known.answer ?? 'null');
  }
  const answer = await work();
  await db
    .insertInto('idempotency_keys')
    .values({
      ...sender,
      workspace_id: workspaceId,
      key: call.key,
      request_hash: hash,
      status: call.status,
      answer: kept.write(answer),
    })
    .execute();
  return answer;
}

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
