import { signingOverlapHours, type WorkspaceSecret } from '#contract/signing-secret.ts';
import * as rows from '#features/signing-secret/signing-secret.db.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { Conflict } from '#platform/errors.ts';
import type { SecretBox } from '#platform/secrets.ts';
import { isPreviousValid, openSigningSecrets, type OpeningSecrets, sealNewSecret } from '#platform/signing.ts';

/** The secret of the workspace. Created when it is first asked for: no receiver could have checked a signature before. */
export async function revealSigningSecret(ctx: TenantContext, secrets: SecretBox): Promise<WorkspaceSecret> {
  const { db, workspaceId } = ctx;
  const made = await rows.insertSigningSecret(db, {
    workspaceId,
    sealed: sealNewSecret(workspaceId, secrets),
    now: ctx.now.toString(),
  });
  const row = made ?? (await rows.findSigningSecret(db, { workspaceId }));
  // A secret that was sealed with a lost key is replaced.
  if (row === undefined || secrets.keyOf(row.sealed_secret) === 'unknown') return rotateSigningSecret(ctx, secrets);
  await recordAct(ctx, {
    action: made === undefined ? 'workspace.signing_secret_shown' : 'workspace.signing_secret_created',
    target: workspaceId,
  });
  return onTheWire(row, { secrets, now: ctx.now });
}

/** Creates the secret where the workspace has none, without showing it. */
export async function ensureSigningSecret(
  { db, workspaceId, now, actor }: TenantContext,
  secrets: SecretBox,
): Promise<void> {
  const made = await rows.insertSigningSecret(db, {
    workspaceId,
    sealed: sealNewSecret(workspaceId, secrets),
    now: now.toString(),
  });
  if (made !== undefined)
    await recordAct(
      { db, workspaceId, now, actor },
      { action: 'workspace.signing_secret_created', target: workspaceId },
    );
}

/** Replaces the secret. For a day the previous one signs too, so that receivers can be changed one by one. */
export async function rotateSigningSecret(ctx: TenantContext, secrets: SecretBox): Promise<WorkspaceSecret> {
  const row = await rows.replaceSigningSecret(ctx.db, {
    workspaceId: ctx.workspaceId,
    sealed: sealNewSecret(ctx.workspaceId, secrets),
    now: ctx.now.toString(),
    previousEndsAt: ctx.now.add({ hours: signingOverlapHours }).toString(),
  });
  if (row === undefined) throw new Conflict('The workspace has no signing secret yet. Show it to make one.');
  await recordAct(ctx, { action: 'workspace.signing_secret_rotated', target: ctx.workspaceId });
  return onTheWire(row, { secrets, now: ctx.now });
}

/** The secrets that sign the workspace's webhooks now, the newest first; none before somebody has asked for one. */
export async function signingSecretsOf(ctx: TenantContext, secrets: SecretBox): Promise<readonly string[]> {
  const row = await rows.findSigningSecret(ctx.db, ctx);
  return row === undefined ? [] : openSigningSecrets(row, { secrets, now: ctx.now });
}

function onTheWire(row: rows.SigningSecretRow, opening: OpeningSecrets): WorkspaceSecret {
  const [secret = ''] = openSigningSecrets(row, opening);
  return {
    secret,
    changed_at: row.changed_at,
    previous_ends_at: isPreviousValid(row, opening.now) ? row.previous_ends_at : null,
  };
}
