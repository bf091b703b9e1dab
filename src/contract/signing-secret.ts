import { z } from 'zod';
import { InstantText, Text } from '#contract/common.ts';
import { post } from '#contract/route.ts';

/** A secret that people choose and enter on both sides; the minimum length makes it hard to guess. */
export const SharedSecret = (maxLength: number) => Text(maxLength).min(16, 'must be at least 16 characters');

/** A secret that signs requests (Standard Webhooks): base64 after `whsec_`; any other text is used unchanged. */
export const SigningSecret = (maxLength: number) =>
  SharedSecret(maxLength).refine(isWholeKey, 'after whsec_ must be base64 of at least 16 bytes');

function isWholeKey(secret: string): boolean {
  return !secret.startsWith('whsec_') || /^whsec_[A-Za-z0-9+/_-]{22,}={0,2}$/.test(secret);
}

/** For how many hours after a change the previous secret still signs, beside the new one. */
export const signingOverlapHours = 24;

/** The secret with which a workspace signs its webhooks (standardwebhooks.com). */
const WorkspaceSecret = z.object({
  /** The secret in base64, after `whsec_`. */
  secret: z.string(),
  changed_at: InstantText,
  /** Until when the previous secret signs too; null when there is none. */
  previous_ends_at: InstantText.nullable(),
});
export type WorkspaceSecret = z.output<typeof WorkspaceSecret>;

export const signingSecretRoutes = {
  revealSigningSecret: post('/api/signing-secret', {
    access: 'admin',
    callers: 'people',
    summary: 'Show the secret that signs the webhooks of the workspace; the first time makes it',
    needsReauthentication: true,
    answer: WorkspaceSecret,
    holdsSecret: true,
  }),
  rotateSigningSecret: post('/api/signing-secret/rotate', {
    access: 'admin',
    callers: 'people',
    summary: 'Replace the secret that signs webhooks; for a day both sign',
    needsReauthentication: true,
    answer: WorkspaceSecret,
    holdsSecret: true,
  }),
};
