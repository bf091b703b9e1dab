import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketOf, latenessBounds as bounds, percentileOf } from './histogram.ts';

describe('a percentile of a histogram', () => {
  it('is null of nothing, and the last bound where more is not known', () => {
    expect(percentileOf([], { bounds, share: 0.5 })).toBeNull();
    const counts = bounds.map(() => 0);
    counts[bucketOf(bounds, 1e9)] = 3;
    expect(percentileOf(counts, { bounds, share: 0.5 })).toBe(3_600);
  });

  it('is in the bucket of the value that sorting finds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.001, max: 3_000, noNaN: true }), { minLength: 1, maxLength: 200 }),
        fc.constantFrom(0.5, 0.95, 0.99),
        (values, share) => {
          const counts = Array.from({ length: bounds.length + 1 }, () => 0);
          for (const value of values) {
            const bucket = bucketOf(bounds, value);
            counts[bucket] = (counts[bucket] ?? 0) + 1;
          }
          const sorted = values.toSorted((a, b) => a - b);
          const exact = sorted[Math.ceil(share * values.length - 1e-9) - 1] ?? 0;
          expect(bucketOf(bounds, percentileOf(counts, { bounds, share }) ?? -1)).toBe(bucketOf(bounds, exact));
        },
      ),
    );
  });
});
