import { signingOverlapHours, type WorkspaceSecret } from '#contract/signing-secret.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { Conflict } from '#platform/errors.ts';
import type { SecretBox } from '#platform/secrets.ts';
import { isPreviousValid, openSigningSecrets, type OpeningSecrets, sealNewSecret } from '#platform/signing.ts';
import { sql } from 'kysely';
import type { Db } from '#platform/database.ts';

/** The secret of the workspace. Created when it is first asked for: no receiver could have checked a signature before. */
export async function revealSigningSecret(ctx: TenantContext, secrets: SecretBox): Promise<WorkspaceSecret> {
  const { db, workspaceId } = ctx;
  const made = await insertSigningSecret(db, {
    workspaceId,
    sealed: sealNewSecret(workspaceId, secrets),
    now: ctx.now.toString(),
  });
  const row = made ?? (await findSigningSecret(db, { workspaceId }));
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
  const made = await insertSigningSecret(db, {
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

export const hasSigningSecret = async ({ db, workspaceId }: TenantContext): Promise<boolean> =>
  (await findSigningSecret(db, { workspaceId })) !== undefined;

/** Replaces the secret. For a day the previous one signs too, so that receivers can be changed one by one. */
export async function rotateSigningSecret(ctx: TenantContext, secrets: SecretBox): Promise<WorkspaceSecret> {
  const row = await replaceSigningSecret(ctx.db, {
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
  const row = await findSigningSecret(ctx.db, ctx);
  return row === undefined ? [] : openSigningSecrets(row, { secrets, now: ctx.now });
}

function onTheWire(row: SigningSecretRow, opening: OpeningSecrets): WorkspaceSecret {
  const [secret = ''] = openSigningSecrets(row, opening);
  return {
    secret,
    changed_at: row.changed_at,
    previous_ends_at: isPreviousValid(row, opening.now) ? row.previous_ends_at : null,
  };
}

type Of = { workspaceId: string };

const columns = ['workspace_id', 'sealed_secret', 'sealed_previous', 'previous_ends_at', 'changed_at'] as const;

const findSigningSecret = (db: Db, { workspaceId }: Of) =>
  db.selectFrom('signing_secrets').where('workspace_id', '=', workspaceId).select(columns).executeTakeFirst();

type SigningSecretRow = Awaited<ReturnType<typeof findSigningSecret>> & {};

/** Inserts a secret; undefined where there is one already. */
const insertSigningSecret = (db: Db, { workspaceId, sealed, now }: Of & { sealed: string; now: string }) =>
  db
    .insertInto('signing_secrets')
    .values({ workspace_id: workspaceId, sealed_secret: sealed, changed_at: now })
    .onConflict((secret) => secret.column('workspace_id').doNothing())
    .returning(columns)
    .executeTakeFirst();

/** Replaces the secret, which becomes the previous one. An older previous one ends. */
const replaceSigningSecret = (
  db: Db,
  { workspaceId, sealed, now, previousEndsAt }: Of & { sealed: string; now: string; previousEndsAt: string },
) =>
  db
    .updateTable('signing_secrets')
    .set({
      sealed_previous: sql`sealed_secret`,
      sealed_secret: sealed,
      previous_ends_at: previousEndsAt,
      changed_at: now,
    })
    .where('workspace_id', '=', workspaceId)
    .returning(columns)
    .executeTakeFirst();
