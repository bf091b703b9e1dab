import {
  type Replay,
  type Webhook,
  type WebhookChanges,
  type Activity,
  type WebhookInput,
  activityTypes,
  webhookLimits,
} from '#contract/webhooks.ts';
import { ensureSigningSecret } from '#features/signing-secret/signing-secret.service.ts';
import * as activities from '#features/webhooks/activities.db.ts';
import * as rows from '#features/webhooks/webhooks.db.ts';
import { isDemo } from '#features/workspaces/workspaces.service.ts';
import { recordAct } from '#platform/audit.ts';
import { announce, wakeWebhooks } from '#platform/changes.ts';
import { personOf, type TenantContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { Conflict, Invalid, NotFound, Unprocessable } from '#platform/errors.ts';
import type { EgressGuard } from '#platform/outbound/guard.ts';
import { pageOf } from '#platform/page.ts';
import { spendUsage } from '#platform/usage-limits.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type WebhookPorts = { guard: EgressGuard; secrets: SecretBox };

export const listWebhooks = async (ctx: TenantContext): Promise<{ data: Webhook[] }> => ({
  data: (await rows.findWebhooks(ctx.db, ctx)).map(onTheWire),
});

/** Creates a webhook, and the signing secret where the workspace has none: no activity is sent unsigned. */
export async function createWebhook(
  ctx: TenantContext,
  { input, ports }: { input: WebhookInput; ports: WebhookPorts },
): Promise<Webhook> {
  if (await isDemo(ctx)) throw new Unprocessable('The demo sends into the sandbox only, and has no webhooks');
  const url = await reachable(input.url, ports);
  const { webhooks: most } = webhookLimits;
  if ((await rows.lockCount(ctx.db, ctx)) >= most)
    throw new Conflict(`The workspace has ${most} webhooks, which is the most. Delete one that is not needed.`);
  await ensureSigningSecret(ctx, ports.secrets);
  const { id } = await rows.insertWebhook(ctx.db, {
    workspaceId: ctx.workspaceId,
    url,
    activityTypes: input.activity_types,
    createdBy: personOf(ctx.actor),
    now: ctx.now.toString(),
  });
  await recordAct(ctx, { action: 'webhook.created', target: id, details: { host: hostOf(url) } });
  await announce(ctx, ['webhooks']);
  return onTheWire(await mustFind(ctx, id));
}

export async function updateWebhook(
  ctx: TenantContext,
  { id, changes, ports }: { id: string; changes: WebhookChanges; ports: WebhookPorts },
): Promise<Webhook> {
  const before = await mustFind(ctx, id);
  const { activity_types: activityTypes, is_active: isActive } = changes;
  const now = ctx.now.toString();
  const of = { workspaceId: ctx.workspaceId, id, now };
  const url = changes.url === undefined ? undefined : await reachable(changes.url, ports);
  const details = { host: hostOf(url ?? before.url) };
  if (url !== undefined || activityTypes !== undefined) {
    await rows.updateWebhook(ctx.db, { ...of, url, activityTypes });
    await recordAct(ctx, { action: 'webhook.changed', target: id, details });
  }
  if (isActive !== undefined && isActive !== (stateOf(before) === 'active')) {
    await rows.setActive(ctx.db, { ...of, isActive });
    await recordAct(ctx, {
      action: isActive ? 'webhook.activated' : 'webhook.deactivated',
      target: id,
      details,
    });
  }
  await announce(ctx, ['webhooks']);
  await wakeWebhooks(ctx);
  return onTheWire(await mustFind(ctx, id));
}

export async function deleteWebhook(ctx: TenantContext, id: string): Promise<void> {
  const gone = await rows.deleteWebhook(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (gone === undefined) throw new NotFound('webhook');
  await recordAct(ctx, { action: 'webhook.deleted', target: id, details: { host: hostOf(gone.url) } });
  await announce(ctx, ['webhooks']);
}

/** Queues a test activity like any other; the log will have its answer. */
export async function testWebhook(ctx: TenantContext, id: string): Promise<Activity> {
  await mustBeActive(ctx, id);
  const { workspaceId, now } = ctx;
  const type = 'webhook.test';
  const body = JSON.stringify({
    type,
    version: 1,
    timestamp: now.toString({ smallestUnit: 'millisecond' }),
    data: { webhook_id: id, workspace_id: workspaceId },
  });
  const activity = await activities.insertActivity(ctx.db, { workspaceId, webhookId: id, type, body, now });
  await sendSoon(ctx, id);
  return activity;
}

export async function listWebhookActivities(
  ctx: TenantContext,
  {
    id,
    query: { status, cursor, limit },
  }: { id: string; query: { status?: Activity['status'] | undefined; cursor?: string | undefined; limit: number } },
) {
  await mustFind(ctx, id);
  const of = { workspaceId: ctx.workspaceId, webhookId: id };
  const found = await activities.findActivities(ctx.db, { ...of, status, after: decodeCursor(cursor), limit });
  return pageOf(found, { at: (activity) => activity.occurred_at });
}

/** Sends activities again under their ids, by which a receiver recognises what it has already. Throws RateLimited for too many. */
export async function replayWebhookActivities(
  ctx: TenantContext,
  { id, replay }: { id: string; replay: Replay },
): Promise<{ replayed: number }> {
  await mustBeActive(ctx, id);
  const of = { workspaceId: ctx.workspaceId, webhookId: id };
  if (
    'activity_id' in replay &&
    (await activities.findActivity(ctx.db, { ...of, id: replay.activity_id })) === undefined
  )
    throw new NotFound('activity');
  const chosen = 'activity_id' in replay ? { id: replay.activity_id } : replay;
  const count = await activities.countEnded(ctx.db, { ...of, ...chosen });
  if (count === 0) return { replayed: 0 };
  await spendUsage(ctx, { usage: 'replays', cost: count });
  const replayed = await activities.replayActivities(ctx.db, { ...of, ...chosen, now: ctx.now, most: count });
  await sendSoon(ctx, id);
  return { replayed };
}

async function sendSoon(ctx: TenantContext, id: string): Promise<void> {
  await rows.releaseWebhook(ctx.db, { workspaceId: ctx.workspaceId, id });
  await announce(ctx, ['webhooks']);
  await wakeWebhooks(ctx);
}

/** The URL in the form that is stored. The egress guard checks it again at each attempt. */
async function reachable(text: string, { guard }: WebhookPorts): Promise<string> {
  const url = text.trim();
  const verdict = await guard.checkUrl(url);
  if (verdict !== 'allowed') throw new Invalid([{ path: 'url', message: verdict.refused }]);
  return url;
}

async function mustFind({ db, workspaceId }: TenantContext, id: string): Promise<rows.WebhookRow> {
  const found = await rows.findWebhook(db, { workspaceId, id });
  if (found === undefined) throw new NotFound('webhook');
  return found;
}

async function mustBeActive(ctx: TenantContext, id: string): Promise<void> {
  if (stateOf(await mustFind(ctx, id)) !== 'active') throw new Conflict('The webhook is off. Turn it on first.');
}

const stateOf = ({ is_active: isActive, disabled_at: disabledAt }: rows.WebhookRow): Webhook['state'] =>
  !isActive ? 'off' : disabledAt === null ? 'active' : 'disabled';

/** The host without the path, which may contain a token. */
const hostOf = (url: string) => URL.parse(url)?.host ?? url.slice(0, 100);

function onTheWire(row: rows.WebhookRow): Webhook {
  const { last_outcome: outcome, last_answered_at: at, dropped_at: droppedAt } = row;
  return {
    id: row.id,
    url: row.url,
    // Leaves out types that only a newer version knows.
    activity_types: activityTypes.filter((type) => row.activity_types.includes(type)),
    state: stateOf(row),
    disabled_at: row.disabled_at,
    failing_since: row.failing_since,
    last: outcome === null || at === null ? null : { outcome, answer: row.last_answer, at },
    waiting: row.waiting,
    dropped: droppedAt === null ? null : { count: row.dropped, at: droppedAt },
    created_at: row.created_at,
  };
}
