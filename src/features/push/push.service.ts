import { ECDH, randomUUIDv7 } from 'node:crypto';
import { isIP } from 'node:net';
import { maxBrowsers, type PushBrowser, type PushBrowserInput, type PushTest } from '#contract/push.ts';
import type { DefaultRoute, Envelope, Network } from '#delivery/adapter.ts';
import type { Device, PushDevices } from '#delivery/push/devices.ts';
import type { PushSender } from '#delivery/push/push.message.ts';
import { adapter } from '#delivery/push/web_push.adapter.ts';
import type { Outcome } from '#domain/outcome.ts';
import * as rows from '#features/push/push.db.ts';
import { companyNameOf } from '#features/reach/reach.service.ts';
import { isDemo } from '#features/workspaces/workspaces.service.ts';
import type { MemberContext } from '#platform/context.ts';
import { Conflict, Invalid, NotFound, Unauthenticated, Unprocessable } from '#platform/errors.ts';
import { AfterCommit } from '#platform/handler.ts';
import type { EgressGuard } from '#platform/outbound/guard.ts';

const userAgentLength = 400;

/** The person's browsers in the workspace, and how many browsers a message of the workspace goes to. */
export async function listBrowsers({ db, workspaceId, actor: { userId } }: MemberContext) {
  const data = await rows.listBrowsers(db, { workspaceId, userId });
  return { data, ...(await rows.countBrowsers(db, { workspaceId })) };
}

type AddedBrowser = {
  browser: PushBrowserInput;
  /** The session of the browser: signing out of it removes the browser. */
  sessionId: string;
  userAgent: string | null;
  guard: EgressGuard;
};

/** Stores a browser of the person. The egress guard checks its address again at each message. */
export async function addBrowser(
  { db, workspaceId, actor: { userId }, now }: MemberContext,
  { browser: { endpoint, keys }, sessionId, userAgent, guard }: AddedBrowser,
): Promise<PushBrowser> {
  if (!isPoint(keys.p256dh))
    throw new Invalid([{ path: 'keys.p256dh', message: 'must be a point of the curve P-256' }]);
  const problem = await endpointProblem(endpoint, guard);
  if (problem !== null) throw new Invalid([{ path: 'endpoint', message: problem }]);
  const saved = await rows.saveBrowser(db, {
    workspaceId,
    userId,
    sessionId,
    userAgent: userAgent?.slice(0, userAgentLength).toWellFormed() ?? null,
    endpoint,
    ...keys,
    now: now.toString(),
  });
  if (saved === 'ended') throw new Unauthenticated('You have just been signed out or removed from this workspace');
  if (saved === 'foreign') throw new Conflict('Somebody else has subscribed this browser. Subscribe it anew.');
  await rows.dropOldest(db, { workspaceId, userId, keep: maxBrowsers });
  return saved;
}

/** Whether a message can be encrypted for it (RFC 8291): a point that is not on the curve would fail with every message. */
function isPoint(p256dh: string): boolean {
  try {
    const point = Buffer.from(p256dh, 'base64url');
    ECDH.convertKey(point, 'prime256v1');
    return point[0] === 4;
  } catch {
    return false;
  }
}

/** A push service needs HTTPS. For an address by number, such as the sandbox's, the egress guard decides alone. */
async function endpointProblem(endpoint: string, guard: EgressGuard): Promise<string | null> {
  const verdict = await guard.checkUrl(endpoint);
  if (verdict !== 'allowed') return verdict.refused;
  const { protocol, hostname } = new URL(endpoint);
  return protocol === 'https:' || isIP(hostname) !== 0 ? null : 'A push service is reached by https://.';
}

/** Removes a browser of the person. Does not reveal whether it belongs to another user. */
export async function removeBrowser(
  { db, workspaceId, actor }: MemberContext,
  { endpoint }: { endpoint: string },
): Promise<void> {
  await rows.deleteBrowser(db, { workspaceId, userId: actor.userId, endpoint });
}

export type PushPorts = {
  sender: PushSender;
  devices: PushDevices;
  network: Network;
  /** The routes that demos send over. */
  demoRoutes: DefaultRoute;
  /** Limits the concurrent tests of a workspace. */
  slots: { take<T>(workspaceId: string, work: () => Promise<T>): Promise<T> };
};

/** Sends a message to one browser of the person, as reminders are sent. It counts against no plan. */
export async function testBrowser(
  ctx: MemberContext,
  { endpoint, ports }: { endpoint: string; ports: PushPorts },
): Promise<AfterCommit<PushTest>> {
  const { db, workspaceId, actor } = ctx;
  const found = await rows.findDevice(db, { workspaceId, userId: actor.userId, endpoint });
  if (found === undefined) throw new NotFound('browser');
  const { p256dh, auth } = found;
  const device: Device = { endpoint, keys: { p256dh, auth } };
  const envelope = testEnvelope(ctx, await companyNameOf(ctx));
  const send = await sendingTo(device, { ctx, ports });
  return new AfterCommit(() => ports.slots.take(workspaceId, async () => testOf(await send(envelope))));
}

/** Sends to this browser; in a demo to the sandbox's. */
async function sendingTo(
  device: Device,
  { ctx, ports }: { ctx: MemberContext; ports: PushPorts },
): Promise<(envelope: Envelope) => Promise<Outcome>> {
  const { sender, devices, network, demoRoutes } = ports;
  if (!(await isDemo(ctx))) {
    const config = { ...sender, devices: { ...devices, of: async () => [device] } };
    return (envelope) => adapter.send(envelope, { config, network });
  }
  const route = demoRoutes('push', ctx.workspaceId);
  if (route === null) throw new Unprocessable('The demo sends into the sandbox only, and the sandbox is off');
  return (envelope) => route.adapter.send(envelope, { config: route.config, network });
}

function testEnvelope({ workspaceId, now }: MemberContext, workspaceName: string): Envelope {
  const id = randomUUIDv7();
  return {
    delivery_id: id,
    workspace_id: workspaceId,
    // A test has no job, so nothing of it is stored under this id.
    job_id: id,
    reminder_id: null,
    name: 'Test',
    scheduled_for: now.toString(),
    attempt: 1,
    channel: 'push',
    recipient: 'push',
    recipient_name: null,
    subject: 'Push notifications work',
    message: `Reminders of ${workspaceName} appear like this in this browser.`,
    is_test: true,
  };
}

function testOf(outcome: Outcome): PushTest {
  switch (outcome.outcome) {
    case 'accepted':
    case 'delivered':
      return { outcome: 'accepted', message: 'The push service has accepted the message.' };
    case 'skipped':
      return { outcome: 'ended', message: 'The push service no longer knows this browser. Turn push on again there.' };
    case 'failed':
    case 'unknown':
      return { outcome: 'failed', message: outcome.reason.slice(0, 500) };
    default:
      return outcome satisfies never;
  }
}
