import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { errorStatus } from '#contract/errors.ts';
import type { Event } from '#contract/events.ts';
import { variablesOf } from '#domain/event-data.ts';
import { countRequest, type LimitSettings, refusalOf } from '#features/api-keys/request-limit.service.ts';
import { takeEvent } from '#features/events/events.service.ts';
import { recordCall } from '#features/events/hook-calls.service.ts';
import { findHook, type HookRow } from '#features/events/hooks.db.ts';
import { hookPurpose, isHooked, secretContext } from '#features/events/hooks.service.ts';
import { verifySignature } from '#features/events/hook-signature.ts';
import { type HookTarget, openHookToken } from '#features/events/hook-token.ts';
import { inTenant } from '#platform/database.ts';
import { spendDemoBudget } from '#platform/demo-budget.ts';
import { AppError, Gone, Invalid, isSuspended, NotFound, Unauthenticated } from '#platform/errors.ts';
import { hopsIn } from '#platform/hops.ts';
import { jsonOf, textOf } from '#platform/request-body.ts';
import type { Schema } from '#platform/schema.ts';
import { spendUsage } from '#platform/usage-limits.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type ReceivePorts = {
  db: Kysely<Schema>;
  secrets: SecretBox;
  now: () => Temporal.Instant;
  settings: () => LimitSettings;
};

type Received = { request: Request; readBody: () => Promise<Buffer> };

/**
 * Handles a request to a reminder's hook, whose body becomes the message's variables. Throws NotFound for any address that is not a hook's current
 * one, and Gone while its workspace is being deleted; both are not recorded as calls.
 */
export async function receiveHook(
  ports: ReceivePorts,
  { token, ...received }: Received & { token: string },
): Promise<{ event: Event; isRepeated: boolean }> {
  const { db, secrets, now } = ports;
  const target = openHookToken(token, secrets.deriveKeys(hookPurpose));
  if (target === null) throw new NotFound('hook');
  const at = now();
  const hook = await openHook(db, target);
  try {
    return await takeCall(ports, { target, hook, at, ...received });
  } catch (error) {
    if (error instanceof AppError)
      await inTenant(db, { workspaceId: target.workspaceId, userId: null }, (tx) =>
        recordCall(
          { db: tx, workspaceId: target.workspaceId, now: at },
          { reminderId: target.reminderId, status: errorStatus[error.code], problem: error.message },
        ),
      );
    throw error;
  }
}

async function takeCall(
  { db, secrets, settings }: ReceivePorts,
  { target, hook, at, request, readBody }: Received & { target: HookTarget; hook: HookRow; at: Temporal.Instant },
): Promise<{ event: Event; isRepeated: boolean }> {
  const body = await readBody();
  const key = keyOf(hook, { secrets, target, request, body, now: at });
  await assertWithinLimit(db, { target, hook, settings: settings(), now: at });
  const hops = hopsIn(request);
  const variables = await variablesIn(body, request.headers.get('content-type') ?? '');
  const { workspaceId, reminderId } = target;
  if (hook.demo_until !== null)
    await inTenant(db, { workspaceId, userId: null }, (tx) =>
      spendDemoBudget(tx, { workspaceId, bytes: body.length, now: at }),
    );
  return inTenant(db, { workspaceId, userId: null }, async (tx) => {
    const ctx = { db: tx, workspaceId, now: at };
    const reported = { event: 'custom_webhook', key, reminderId, variables, occurredAt: null, hops };
    const taken = await takeEvent(ctx, reported);
    await recordCall(ctx, { reminderId, status: taken.isRepeated ? 200 : 201, eventId: taken.event.id });
    return taken;
  });
}

const openHook = (db: Kysely<Schema>, target: HookTarget): Promise<HookRow> =>
  inTenant(db, { workspaceId: target.workspaceId, userId: null }, async (tx) => {
    const found = await findHook(tx, target);
    if (found === undefined || !isHooked(found) || found.generation !== target.generation) throw new NotFound('hook');
    if (found.delete_after !== null) throw new Gone('The workspace of this hook is being deleted');
    if (found.suspended_at !== null) throw isSuspended();
    return found;
  });

/**
 * Counts correctly signed requests only, so that knowing the address is not enough to use up the limit. In a transaction of its own, so that a
 * request that is refused later counts too.
 */
async function assertWithinLimit(
  db: Kysely<Schema>,
  {
    target,
    hook,
    settings,
    now,
  }: { target: HookTarget; hook: HookRow; settings: LimitSettings; now: Temporal.Instant },
): Promise<void> {
  const { workspaceId } = target;
  const quota = await inTenant(db, { workspaceId, userId: null }, (tx) =>
    countRequest(tx, { workspaceId, bucket: 'hooks', plan: hook, settings, now }),
  );
  if (quota?.isSpent === true) throw refusalOf(quota);
  await inTenant(db, { workspaceId, userId: null }, (tx) =>
    spendUsage({ db: tx, workspaceId, now }, { usage: 'events' }),
  );
}

/**
 * The key of the event. With a secret it comes from the signed content; otherwise the sender may set it in a header.
 */
function keyOf(
  hook: HookRow,
  {
    secrets,
    target,
    request,
    body,
    now,
  }: { secrets: SecretBox; target: HookTarget; request: Request; body: Buffer; now: Temporal.Instant },
): string {
  if (hook.sealed_secret === null) return unsignedKeyOf(request);
  const secret = secrets.open(hook.sealed_secret, secretContext(target));
  const verified = verifySignature({ headers: request.headers, body, secret, now });
  if ('problem' in verified) throw new Unauthenticated(verified.problem);
  return verified.key;
}

function unsignedKeyOf({ headers }: Request): string {
  for (const name of ['webhook-id', 'idempotency-key']) {
    const given = headers.get(name);
    if (given === null) continue;
    if (given === '' || given.length > 200) throw new Invalid([{ path: name, message: 'must be 1 to 200 characters' }]);
    return given;
  }
  return randomUUID();
}

async function variablesIn(body: Buffer, contentType: string): Promise<Record<string, string>> {
  const taken = variablesOf(await objectIn(textOf(body), contentType));
  if ('problem' in taken) throw new Invalid([taken.problem]);
  return taken.values;
}

async function objectIn(text: string, contentType: string): Promise<Record<string, unknown>> {
  if (text.trim() === '') return {};
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) return formIn(text);
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(contentType))
    throw new Invalid([
      { path: '', message: 'Send the body as application/json or application/x-www-form-urlencoded' },
    ]);
  const value = await jsonOf(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Invalid([{ path: '', message: 'must be an object' }]);
  return { ...value };
}

const maxFormFields = 1_000;

/** A field with several values, such as checkboxes, becomes a list. */
function formIn(text: string): Record<string, unknown> {
  if (text.split('&', maxFormFields + 1).length > maxFormFields)
    throw new Invalid([{ path: '', message: `The form has more than ${maxFormFields} fields` }]);
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const values = fields.get(name);
    if (values === undefined) fields.set(name, [value]);
    else values.push(value);
  }
  return Object.fromEntries(fields.entries().map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}
