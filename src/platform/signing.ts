import { randomBytes } from 'node:crypto';
import type { SecretBox } from '#platform/secrets.ts';

/** The secret that signs and the previous one, as they are stored. */
export type SealedSigning = {
  workspace_id: string;
  sealed_secret: string;
  sealed_previous: string | null;
  /** An ISO instant. */
  previous_ends_at: string | null;
};

export type OpeningSecrets = { secrets: SecretBox; now: Temporal.Instant };

/** Opens the secrets for each message, so that no process keeps them in memory. Those sealed with a lost key are left out. */
export function openSigningSecrets(sealing: SealedSigning, { secrets, now }: OpeningSecrets): readonly string[] {
  const context = signingContext(sealing.workspace_id);
  const texts = [sealing.sealed_secret, ...(isPreviousValid(sealing, now) ? [sealing.sealed_previous ?? ''] : [])];
  return texts.filter((text) => secrets.keyOf(text) !== 'unknown').map((text) => secrets.open(text, context));
}

export const isPreviousValid = ({ previous_ends_at: end }: SealedSigning, now: Temporal.Instant) =>
  end !== null && Temporal.Instant.compare(Temporal.Instant.from(end), now) > 0;

export const signingContext = (workspaceId: string) => ({ workspaceId, purpose: 'the secret that signs webhooks' });

export const sealNewSecret = (workspaceId: string, secrets: SecretBox) =>
  secrets.seal(`whsec_${randomBytes(32).toString('base64')}`, signingContext(workspaceId));
