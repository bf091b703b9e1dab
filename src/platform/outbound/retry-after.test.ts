import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from './retry-after.ts';

const now = Temporal.Instant.from('2026-11-20T08:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    [' 7 ', 7_000],
    ['Fri, 20 Nov 2026 08:05:00 GMT', 300_000],
    ['Fri, 20 Nov 2026 07:00:00 GMT', 0],
    ['999999999', 86_400_000],
    ['Fri, 20 Nov 2099 08:05:00 GMT', 86_400_000],
  ])('%s means %i ms', (header, ms) => {
    expect(parseRetryAfter(header, now)).toBe(ms);
  });

  it.each([undefined, '', 'soon', '-5', '1.5', '1e9', '2026-11-20', 'Fri, 99 Nov 2026 99:99:99 GMT', '9'.repeat(40)])(
    '%s is ignored',
    (header) => {
      expect(parseRetryAfter(header, now)).toBeUndefined();
    },
  );
});
