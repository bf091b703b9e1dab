import { createHash, randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Event } from '#contract/events.ts';
import { variablesOf } from '#domain/event-data.ts';
import { countRequest, refusalOf } from '#features/api-keys/request-limit.service.ts';
import { takeEvent } from '#features/events/events.service.ts';
import { findHook, type HookRow } from '#features/events/hooks.db.ts';
import { hookKeyOf, isHooked, secretPlace } from '#features/events/hooks.service.ts';
import { signatureProblem } from '#features/events/hook-signature.ts';
import { type HookPlace, openHookToken } from '#features/events/hook-token.ts';
import { inTenant } from '#platform/database.ts';
import { Invalid, NotFound, Unauthenticated } from '#platform/errors.ts';
import { jsonOf, readBytes, textOf } from '#platform/request-body.ts';
import type { Schema } from '#platform/schema.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type ReceivePorts = { db: Kysely<Schema>; secrets: SecretBox; now: () => Temporal.Instant };

const maxBodyKiB = 64;

/**
 * Takes what another system reports at a reminder's hook; its body becomes the message's variables. Throws NotFound for
 * every address that is not a hook's present one.
 */
export async function receiveHook(
  { db, secrets, now }: ReceivePorts,
  { token, request }: { token: string; request: Request },
): Promise<{ event: Event; isRepeated: boolean }> {
  const place = openHookToken(token, hookKeyOf(secrets));
  if (place === null) throw new NotFound('hook');
  const at = now();
  const hook = await openHook(db, place);
  const body = await readBytes(request, { maxKiB: maxBodyKiB });
  assertSigned(hook, { secrets, place, request, body, now: at });
  await assertWithinLimit(db, { place, hook, now: at });
  const variables = variablesIn(body, request.headers.get('content-type') ?? '');
  return inTenant(db, { workspaceId: place.workspaceId, userId: null }, (tx) =>
    takeEvent(
      { db: tx, workspaceId: place.workspaceId, now: at },
      {
        event: 'custom_webhook',
        key: keyOf(request),
        reminderId: place.reminderId,
        variables,
        occurredAt: null,
      },
    ),
  );
}

const openHook = (db: Kysely<Schema>, place: HookPlace): Promise<HookRow> =>
  inTenant(db, { workspaceId: place.workspaceId, userId: null }, async (tx) => {
    const found = await findHook(tx, place);
    if (found === undefined || !isHooked(found) || found.generation !== place.generation) throw new NotFound('hook');
    return found;
  });

/**
 * Counts what was signed as it should be, so that whoever just knows the address uses up nobody's hour; and apart from
 * the event, so that a request which is refused after this counts too.
 */
async function assertWithinLimit(
  db: Kysely<Schema>,
  { place, hook, now }: { place: HookPlace; hook: HookRow; now: Temporal.Instant },
): Promise<void> {
  const { workspaceId } = place;
  const quota = await inTenant(db, { workspaceId, userId: null }, (tx) =>
    countRequest(tx, { workspaceId, bucket: 'hooks', tier: hook.subscription_tier, now }),
  );
  if (quota.isSpent) throw refusalOf(quota);
}

function assertSigned(
  hook: HookRow,
  {
    secrets,
    place,
    request,
    body,
    now,
  }: { secrets: SecretBox; place: HookPlace; request: Request; body: Buffer; now: Temporal.Instant },
): void {
  if (hook.sealed_secret === null) return;
  const secret = secrets.open(hook.sealed_secret, secretPlace(place));
  const problem = signatureProblem({ headers: request.headers, body, secret, now });
  if (problem !== null) throw new Unauthenticated(problem);
}

/** The sender's own name for what happened. A signed request without one is known by its signature. */
function keyOf({ headers }: Request): string {
  for (const name of ['webhook-id', 'idempotency-key']) {
    const given = headers.get(name);
    if (given === null) continue;
    if (given === '' || given.length > 200) throw new Invalid([{ path: name, message: 'must be 1 to 200 characters' }]);
    return given;
  }
  const signature = headers.get('x-cuebird-signature');
  return signature === null ? randomUUID() : createHash('sha256').update(signature).digest('base64url');
}

function variablesIn(body: Buffer, contentType: string): Record<string, string> {
  const taken = variablesOf(objectIn(textOf(body), contentType));
  if ('problem' in taken) throw new Invalid([taken.problem]);
  return taken.values;
}

function objectIn(text: string, contentType: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) return formIn(text);
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(contentType))
    throw new Invalid([
      { path: '', message: 'Send the body as application/json or application/x-www-form-urlencoded' },
    ]);
  const value = jsonOf(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Invalid([{ path: '', message: 'must be an object' }]);
  return { ...value };
}

/** A field that is there several times, such as a group of boxes, becomes a list. */
function formIn(text: string): Record<string, unknown> {
  const fields = new URLSearchParams(text);
  return Object.fromEntries([...new Set(fields.keys())].map((name) => [name, fields.getAll(name)]));
}
