import { Text } from '#contract/common.ts';

/** A secret that people choose and enter on both sides; the minimum length makes it hard to guess. */
export const SharedSecret = (maxLength: number) => Text(maxLength).min(16, 'must be at least 16 characters');

/** A secret that signs requests (Standard Webhooks): base64 after `whsec_`; any other text is used unchanged. */
export const SigningSecret = (maxLength: number) =>
  SharedSecret(maxLength).refine(isWholeKey, 'after whsec_ must be base64 of at least 16 bytes');

function isWholeKey(secret: string): boolean {
  return !secret.startsWith('whsec_') || /^whsec_[A-Za-z0-9+/_-]{22,}={0,2}$/.test(secret);
}
