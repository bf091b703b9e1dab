import { describe, expect, it } from 'vitest';
import { beginningAt, endingAt, lastDays, rangeOf } from './day-range.ts';

describe('a range of days', () => {
  const march = { from: '2026-03-01', to: '2026-03-31' };

  it('ends today, and is the last 30 where the address names none', () => {
    const now = new Date(2026, 2, 1, 0, 30);
    expect(lastDays(7, now)).toEqual({ from: '2026-02-23', to: '2026-03-01' });
    expect(rangeOf({})).toEqual(lastDays(30));
    expect(rangeOf({ from: '2026-03-02', to: '2026-03-01' })).toEqual(lastDays(30));
    expect(rangeOf(march)).toEqual(march);
  });

  it('moves its other end where it would end before it begins', () => {
    expect(beginningAt(march, '2026-04-05')).toEqual({ from: '2026-04-05', to: '2026-04-05' });
    expect(endingAt(march, '2026-02-05')).toEqual({ from: '2026-02-05', to: '2026-02-05' });
    expect(beginningAt(march, '2026-03-31')).toEqual({ from: '2026-03-31', to: '2026-03-31' });
  });

  it('is never longer than the server reads', () => {
    expect(beginningAt(march, '2020-01-01')).toEqual({ from: '2020-01-01', to: '2020-12-31' });
    expect(endingAt(march, '2028-03-01')).toEqual({ from: '2027-03-02', to: '2028-03-01' });
    expect(rangeOf({ from: '2020-01-01', to: '2026-03-31' })).toEqual({ from: '2020-01-01', to: '2020-12-31' });
  });
});
