import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundExceededBy, bucketOf, latenessBounds as bounds, percentileOf } from './histogram.ts';

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

describe('the bound that a share of the values exceeds', () => {
  const countsOf = (values: readonly number[]) => {
    const counts = Array.from({ length: bounds.length + 1 }, () => 0);
    for (const value of values) counts[bucketOf(bounds, value)]! += 1;
    return counts;
  };

  it('is never more than was measured', () => {
    // Estimated within its bucket it was 870.
    expect(boundExceededBy(countsOf(Array.from({ length: 100 }, () => 326)), { bounds, share: 0.05 })).toBe(300);
    expect(boundExceededBy(countsOf([]), { bounds, share: 0.05 })).toBeNull();
    expect(boundExceededBy(countsOf([0.01]), { bounds, share: 0.05 })).toBe(0);
    expect(boundExceededBy(countsOf([9_000]), { bounds, share: 0.05 })).toBe(3_600);
  });

  it('is exceeded by more than that share, and the next one is not', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.001, max: 9_000, noNaN: true }), { minLength: 1, maxLength: 200 }),
        fc.constantFrom(0.05, 0.5),
        (values, share) => {
          const bound = boundExceededBy(countsOf(values), { bounds, share }) ?? -1;
          const beyond = (limit: number) => values.filter((value) => value > limit).length;
          if (bound > 0) expect(beyond(bound)).toBeGreaterThan(share * values.length);
          const next = bounds[bounds.indexOf(bound) + 1];
          if (next !== undefined) expect(beyond(next)).toBeLessThanOrEqual(share * values.length);
        },
      ),
    );
  });
});
