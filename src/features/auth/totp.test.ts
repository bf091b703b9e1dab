import { describe, expect, it } from 'vitest';
import { codeAt, stepAt, stepOf } from '#features/auth/totp.ts';

/** Of RFC 6238, appendix B, cut to six digits. */
const vectors: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
];
const secret = '12345678901234567890';
const at = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(seconds * 1000);

describe('a code of an authenticator app', () => {
  it.each(vectors)('%d seconds after 1970 is %s', (seconds, code) => {
    expect(codeAt(secret, stepAt(at(seconds)))).toBe(code);
  });

  it('is right on a clock that is half a minute off, and on none that is more', () => {
    const now = at(1_234_567_890);
    const found = [-2, -1, 0, 1, 2].map((off) => stepOf(secret, { code: codeAt(secret, stepAt(now) + off), now }));
    expect(found).toEqual([null, stepAt(now) - 1, stepAt(now), stepAt(now) + 1, null]);
  });

  it.each(['', '12345', '1234567', 'abcdef', '２８７０８２'])('is never %j', (code) => {
    expect(stepOf(secret, { code, now: at(59) })).toBeNull();
  });
});
