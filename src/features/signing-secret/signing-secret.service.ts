import { randomBytes } from 'node:crypto';
import { signingOverlapHours, type WorkspaceSecret } from '#contract/signing-secret.ts';
import * as rows from '#features/signing-secret/signing-secret.db.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { Conflict } from '#platform/errors.ts';
import type { SecretBox } from '#platform/secrets.ts';

/** The secret of the workspace. The first time makes it: before, no receiver could have checked a signature. */
export async function revealSigningSecret(ctx: TenantContext, secrets: SecretBox): Promise<WorkspaceSecret> {
  const { db, workspaceId } = ctx;
  const made = await rows.insertSigningSecret(db, {
    workspaceId,
    sealed: sealed(workspaceId, secrets),
    now: ctx.now.toString(),
  });
  const row = made ?? (await rows.findSigningSecret(db, { workspaceId }));
  // Sealed with a key that is lost.
  if (row === undefined || secrets.keyOf(row.sealed_secret) === 'unknown') return rotateSigningSecret(ctx, secrets);
  await recordAct(ctx, {
    action: made === undefined ? 'workspace.signing_secret_shown' : 'workspace.signing_secret_created',
    target: workspaceId,
  });
  return onTheWire(row, { secrets, now: ctx.now });
}

/** Makes the secret where the workspace has none, without showing it. */
export async function ensureSigningSecret(
  { db, workspaceId, now, actor }: TenantContext,
  secrets: SecretBox,
): Promise<void> {
  const made = await rows.insertSigningSecret(db, {
    workspaceId,
    sealed: sealed(workspaceId, secrets),
    now: now.toString(),
  });
  if (made !== undefined)
    await recordAct(
      { db, workspaceId, now, actor },
      { action: 'workspace.signing_secret_created', target: workspaceId },
    );
}

/** For a day the one before signs too, so that receivers can change theirs one after the other. */
export async function rotateSigningSecret(ctx: TenantContext, secrets: SecretBox): Promise<WorkspaceSecret> {
  const row = await rows.replaceSigningSecret(ctx.db, {
    workspaceId: ctx.workspaceId,
    sealed: sealed(ctx.workspaceId, secrets),
    now: ctx.now.toString(),
    previousEndsAt: ctx.now.add({ hours: signingOverlapHours }).toString(),
  });
  if (row === undefined) throw new Conflict('The workspace has no signing secret yet. Show it to make one.');
  await recordAct(ctx, { action: 'workspace.signing_secret_rotated', target: ctx.workspaceId });
  return onTheWire(row, { secrets, now: ctx.now });
}

/** What signs webhooks of the workspace now, the newest first; none before somebody has asked for the secret. */
export async function signingSecretsOf(ctx: TenantContext, secrets: SecretBox): Promise<readonly string[]> {
  const row = await rows.findSigningSecret(ctx.db, ctx);
  return row === undefined ? [] : openSigningSecrets(row, { secrets, now: ctx.now });
}

/** A secret that signs, and the one before it, as they are stored. */
export type SealedSigning = Pick<
  rows.SigningSecretRow,
  'workspace_id' | 'sealed_secret' | 'sealed_previous' | 'previous_ends_at'
>;

type Opening = { secrets: SecretBox; now: Temporal.Instant };

/** Opened for each message anew, so that no process keeps what it does not need. What a lost key has sealed signs nothing. */
export function openSigningSecrets(sealing: SealedSigning, { secrets, now }: Opening): readonly string[] {
  const context = signingContext(sealing.workspace_id);
  const texts = [sealing.sealed_secret, ...(isPreviousValid(sealing, now) ? [sealing.sealed_previous ?? ''] : [])];
  return texts.filter((text) => secrets.keyOf(text) !== 'unknown').map((text) => secrets.open(text, context));
}

const isPreviousValid = ({ previous_ends_at: end }: SealedSigning, now: Temporal.Instant) =>
  end !== null && Temporal.Instant.compare(Temporal.Instant.from(end), now) > 0;

export const signingContext = (workspaceId: string) => ({ workspaceId, purpose: 'the secret that signs webhooks' });

const sealed = (workspaceId: string, secrets: SecretBox) =>
  secrets.seal(`whsec_${randomBytes(32).toString('base64')}`, signingContext(workspaceId));

function onTheWire(row: rows.SigningSecretRow, opening: Opening): WorkspaceSecret {
  const [secret = ''] = openSigningSecrets(row, opening);
  return {
    secret,
    changed_at: row.changed_at,
    previous_ends_at: isPreviousValid(row, opening.now) ? row.previous_ends_at : null,
  };
}
