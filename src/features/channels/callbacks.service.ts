import type { Kysely } from 'kysely';
import type { Callback, DefaultRoute, Report } from '#delivery/adapter.ts';
import type { AnyAdapter } from '#delivery/load-adapters.ts';
import {
  callbackGeneration,
  type CallbackTarget,
  openCallbackToken,
  typeOfDefault,
} from '#features/channels/callback-token.ts';
import * as rows from '#features/channels/callbacks.db.ts';
import { takeKnown } from '#features/channels/reports.service.ts';
import { openChannel } from '#features/channels/open-channel.ts';
import type { Clock } from '#platform/clock.ts';
import { neverAborts } from '#platform/clock.ts';
import { inTenant } from '#platform/database.ts';
import { NotFound, RateLimited, Unauthenticated } from '#platform/errors.ts';
import { spend } from '#platform/rate-limit.ts';
import type { Schema } from '#platform/schema.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type CallbackPorts = {
  db: Kysely<Schema>;
  secrets: SecretBox;
  clock: Clock;
  /** The address at which providers reach this installation. */
  url: () => string;
  /** The default channels, for workspaces without one of the type: their providers report too. */
  defaults: DefaultRoute;
};

/**
 * Handles a provider's call-back. Its reports update deliveries that are still open. Throws NotFound for an unknown
 * address, Unauthenticated where the signature is not the provider's, and RateLimited where unsigned ones are too many.
 */
export async function receiveCallback(
  ports: CallbackPorts,
  {
    provider,
    token,
    request,
    readBody,
  }: { provider: string; token: string; request: Request; readBody: () => Promise<Buffer> },
): Promise<Response> {
  const target = openCallbackToken(token, ports.secrets);
  if (target === null) throw new NotFound('callback URL');
  const { adapter, config } = await channelAt(ports, target);
  if (adapter.provider !== provider || adapter.parseCallback === undefined) throw new NotFound('callback URL');
  await assertWithinLimit(ports, { target, adapter });
  const callback = callbackOf(request, { ownUrl: ports.url(), body: await readBody() });
  const answer = await adapter.parseCallback(callback, { config, now: ports.clock.now() });
  switch (answer.kind) {
    case 'refused':
      throw new Unauthenticated(answer.reason);
    case 'challenge':
      return new Response(answer.answer, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
    case 'reports':
      await takeReports(ports, { target, adapter, reports: answer.reports });
      return answer.reply === undefined
        ? new Response(null, { status: 200 })
        : new Response(answer.reply, { headers: { 'content-type': 'text/xml; charset=utf-8' } });
    default:
      return answer satisfies never;
  }
}

/** The channel that a call-back is for: the workspace's, or the installation's default of a type. */
async function channelAt(
  { db, secrets, defaults }: CallbackPorts,
  { workspaceId, channelId, generation }: CallbackTarget,
): Promise<{ adapter: AnyAdapter; config: unknown }> {
  const type = typeOfDefault(channelId);
  if (type !== null) {
    const route = defaults(type, workspaceId);
    if (route === null) throw new NotFound('callback URL');
    return route;
  }
  return inTenant(db, { workspaceId, userId: null }, async (tx) => {
    const row = await rows.findCallbackChannel(tx, { workspaceId, id: channelId });
    const context = { workspaceId, channelId };
    if (row === undefined || callbackGeneration(row.sealed_secrets, { context, secrets }) !== generation)
      throw new NotFound('callback URL');
    return openChannel(row, secrets);
  });
}

/** In a transaction of its own, so that a callback that is refused later counts too. */
async function assertWithinLimit(
  { db, clock }: CallbackPorts,
  { target: { workspaceId, channelId }, adapter }: { target: CallbackTarget; adapter: AnyAdapter },
): Promise<void> {
  const most = adapter.callbacksPerMinute;
  if (most === undefined) return;
  const limit = { bucket: `callbacks.${channelId}`, most, seconds: 60 };
  const { isRefused, retryAfterSeconds } = await inTenant(db, { workspaceId, userId: null }, (tx) =>
    spend(tx, { counted: { workspaceId }, limit, now: clock.now() }),
  );
  if (isRefused) throw new RateLimited(`More than ${most} callbacks in a minute.`, { retryAfterSeconds });
}

/** The request with the URL by which the provider knows it, whatever proxies changed: its signature covers the URL. */
function callbackOf(request: Request, { ownUrl, body }: { ownUrl: string; body: Buffer }): Callback {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method === 'GET' ? 'GET' : 'POST',
    url: new URL(ownUrl.replace(/\/$/, '') + pathname + search),
    headers: request.headers,
    body,
  };
}

type Taking = { target: CallbackTarget; adapter: AnyAdapter; reports: readonly Report[] };

/** A report can arrive before the outcome that it is about, so the ledger is read again after each of these delays. */
const patienceMs = [0, 500, 2_000];

async function takeReports(ports: CallbackPorts, { target, adapter, reports }: Taking): Promise<void> {
  const { workspaceId } = target;
  let left = reports;
  for (const waitMs of patienceMs) {
    if (left.length === 0) return;
    await ports.clock.sleepUntil(ports.clock.now().add({ milliseconds: waitMs }), neverAborts);
    left = await inTenant(ports.db, { workspaceId, userId: null }, async (db) => {
      const within = { db, now: ports.clock.now().toString(), secrets: ports.secrets };
      const taken = await takeKnown(within, { workspaceId, adapter, reports: left });
      return taken.left;
    });
  }
}
