import { createHmac, timingSafeEqual } from 'node:crypto';

const stepSeconds = 30;
const digits = 6;

/** The time step of RFC 6238, in which one code is valid. */
export const stepAt = (now: Temporal.Instant): number => Math.floor(now.epochMilliseconds / 1000 / stepSeconds);

/** The code of a step (RFC 4226, section 5.3, with SHA-1, as authenticator apps expect it). */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hmac = createHmac('sha1', secret).update(counter).digest();
  const offset = hmac.readUInt8(hmac.length - 1) & 15;
  return String((hmac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0');
}

/** The step whose code this is: the present one, the last or the next, since clocks differ. Null for a wrong code. */
export function stepOf(secret: string, { code, now }: { code: string; now: Temporal.Instant }): number | null {
  const given = Buffer.from(code);
  const present = stepAt(now);
  const due = [present, present - 1, present + 1].find((step) => {
    const expected = Buffer.from(codeAt(secret, step));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return due ?? null;
}
