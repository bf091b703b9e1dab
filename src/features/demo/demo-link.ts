import { createHmac, timingSafeEqual } from 'node:crypto';

/** For how many days a demo link works; each start prints a new one. */
const linkDays = 30;

/** The token of the demo link of one day, which is not guessable without the secret. */
export const demoToken = (secret: string, { now }: { now: Temporal.Instant }): string => tokenOf(secret, dayOf(now));

/**
 * Whether the link is at most 30 days old. Compares in constant time.
 * @param of.secrets the newest one, and those before it
 */
export function isDemoToken(
  token: string,
  { secrets, now }: { secrets: readonly string[]; now: Temporal.Instant },
): boolean {
  const [, written] = /^(\d{1,6})-[\w-]{43}$/.exec(token) ?? [];
  const age = dayOf(now) - Number(written ?? Number.NaN);
  if (!(age >= 0 && age < linkDays)) return false;
  return secrets.some((secret) => timingSafeEqual(Buffer.from(token), Buffer.from(tokenOf(secret, Number(written)))));
}

const tokenOf = (secret: string, day: number) =>
  `${day}-${createHmac('sha256', secret).update(`the link into the demo workspace ${day}`).digest('base64url')}`;

/** Days since 1970 in UTC. */
const dayOf = (now: Temporal.Instant) => Math.floor(now.epochMilliseconds / 86_400_000);
