import { createHmac, timingSafeEqual } from 'node:crypto';

/** The token of the demo link: constant for one secret, and not guessable without it. */
export const demoToken = (secret: string): string =>
  seal(secret, 'the link into the demo workspace').toString('base64url');

/**
 * Compares in constant time, whatever the length of what was given.
 * @param secrets the newest one, and those before it
 */
export const isDemoToken = (token: string, secrets: readonly string[]): boolean =>
  secrets.some((secret) => timingSafeEqual(seal(secret, token), seal(secret, demoToken(secret))));

const seal = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest();
