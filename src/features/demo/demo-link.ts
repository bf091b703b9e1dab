import { createHmac, timingSafeEqual } from 'node:crypto';

/** The token of the demo link: constant for one secret, and not guessable without it. */
export const demoToken = (secret: string): string =>
  seal(secret, 'the link into the demo workspace').toString('base64url');

/** Compares in constant time, whatever the length of what was given. */
export const isDemoToken = (token: string, secret: string): boolean =>
  timingSafeEqual(seal(secret, token), seal(secret, demoToken(secret)));

const seal = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest();
