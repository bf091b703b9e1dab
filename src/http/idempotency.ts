import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { PersonContext, TenantContext } from '#platform/context.ts';
import { Conflict, Invalid, Unprocessable } from '#platform/errors.ts';

type Call = { key: string; request: Request; rawBody: string; status: number };

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
  const scope = `${workspaceId ?? ''} ${actor.userId} ${call.key}`;
  const hash = createHash('sha256')
    .update(`${call.request.method} ${new URL(call.request.url).pathname}\n${call.rawBody}`)
    .digest('base64url');

  const { rows } = await sql<{
    free: boolean;
  }>`select pg_try_advisory_xact_lock(hashtextextended(${scope}, 2)) as free`.execute(db);
  if (rows[0]?.free !== true) throw new Conflict('A request with this Idempotency-Key is still in flight');

  const known = await db
    .selectFrom('idempotency_keys')
    .where('user_id', '=', actor.userId)
    .where('workspace_id', workspaceId === null ? 'is' : '=', workspaceId)
    .where('key', '=', call.key)
    .select(['request_hash', 'answer'])
    .executeTakeFirst();
  if (known !== undefined) {
    if (known.request_hash !== hash) throw new Unprocessable('This Idempotency-Key was used with another request');
    return JSON.parse(known.answer ?? 'null');
  }
  const answer = await work();
  await db
    .insertInto('idempotency_keys')
    .values({
      workspace_id: workspaceId,
      user_id: actor.userId,
      key: call.key,
      request_hash: hash,
      status: call.status,
      answer: JSON.stringify(answer),
    })
    .execute();
  return answer;
}
