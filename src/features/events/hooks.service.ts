import type { Hook } from '#contract/events.ts';
import * as rows from '#features/events/hooks.db.ts';
import { hookToken } from '#features/events/hook-token.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { NotFound, Unprocessable } from '#platform/errors.ts';
import type { SecretBox } from '#platform/secrets.ts';

/**
 * The dependencies of hooks besides the database. `url` is the address of this installation for people and programs.
 */
export type HookPorts = { secrets: SecretBox; url: () => string };

type Named = { reminderId: string; ports: HookPorts };

export async function getHook(ctx: TenantContext, { reminderId, ports }: Named): Promise<Hook> {
  const { generation, sealed_secret: secret } = await mustFindHook(ctx, reminderId);
  const token = hookToken(
    { workspaceId: ctx.workspaceId, reminderId, generation },
    ports.secrets.deriveKey(hookPurpose),
  );
  return { url: `${ports.url()}/api/hooks/${token}`, is_signed: secret !== null };
}

/** Gives the hook a new address. The previous one stops working at once. */
export async function rotateHook(ctx: TenantContext, { reminderId, ports }: Named): Promise<Hook> {
  await renewHookAddress(ctx, reminderId);
  return getHook(ctx, { reminderId, ports });
}

export async function renewHookAddress(ctx: TenantContext, reminderId: string): Promise<void> {
  const { name } = await mustFindHook(ctx, reminderId);
  await rows.raiseGeneration(ctx.db, { workspaceId: ctx.workspaceId, reminderId, now: ctx.now.toString() });
  await recordAct(ctx, { action: 'hook.rotated', target: reminderId, details: { name } });
}

/** The reminders that have a hook, called last first. */
export const listHookedReminders = ({ db, workspaceId }: TenantContext, { limit }: { limit: number }) =>
  rows.findHooked(db, { workspaceId, limit });

export async function setHookSecret(
  ctx: TenantContext,
  { reminderId, secret, ports }: Named & { secret: string | null },
): Promise<Hook> {
  const { name } = await mustFindHook(ctx, reminderId);
  const { workspaceId } = ctx;
  const sealedSecret = secret === null ? null : ports.secrets.seal(secret, secretContext({ workspaceId, reminderId }));
  await rows.setSecret(ctx.db, { workspaceId, reminderId, sealedSecret, now: ctx.now.toString() });
  await recordAct(ctx, {
    action: secret === null ? 'hook.secret_removed' : 'hook.secret_set',
    target: reminderId,
    details: { name },
  });
  return getHook(ctx, { reminderId, ports });
}

/** The purpose for which the key of hook addresses is derived. */
export const hookPurpose = 'hook addresses';

export const secretContext = ({ workspaceId, reminderId }: { workspaceId: string; reminderId: string }) => ({
  workspaceId,
  purpose: `the secret of hook ${reminderId}`,
});

export const isHooked = ({ schedule_config: config }: Pick<rows.HookRow, 'schedule_config'>) =>
  config.type === 'event-based' && config.eventTrigger === 'custom_webhook';

export async function mustFindHook(ctx: TenantContext, reminderId: string): Promise<rows.HookRow> {
  const found = await rows.findHook(ctx.db, { workspaceId: ctx.workspaceId, reminderId });
  if (found === undefined) throw new NotFound('reminder');
  if (!isHooked(found)) throw new Unprocessable('Only a reminder that waits for a custom webhook has a hook');
  return found;
}
