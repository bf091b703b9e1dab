/** The upper bounds of buckets in seconds, ascending; longer values are counted in a last bucket without a bound. */
export type Bounds = readonly number[];

export const responseBounds: Bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
export const latenessBounds: Bounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];

/** The index of the bucket that counts this value. */
export function bucketOf(bounds: Bounds, seconds: number): number {
  const found = bounds.findIndex((bound) => seconds <= bound);
  return found === -1 ? bounds.length : found;
}

/**
 * The value below which this share of the counted values is, interpolated within its bucket; null where nothing was
 * counted. Of values beyond the last bound only that bound is known.
 */
export function percentileOf(counts: readonly number[], { bounds, share }: { bounds: Bounds; share: number }) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let below = 0;
  for (const [index, upper] of bounds.entries()) {
    const count = counts[index] ?? 0;
    if (count > 0 && below + count >= share * total) {
      const lower = bounds[index - 1] ?? 0;
      return lower + (upper - lower) * ((share * total - below) / count);
    }
    below += count;
  }
  return bounds.at(-1) ?? null;
}

/** The highest bound that more than `share` of the counted values exceed, 0 where it is none; null where nothing was counted. Measured, not estimated. */
export function boundExceededBy(counts: readonly number[], { bounds, share }: { bounds: Bounds; share: number }) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let beyond = total;
  let exceeded = 0;
  for (const [index, bound] of bounds.entries()) {
    beyond -= counts[index] ?? 0;
    if (beyond <= share * total) break;
    exceeded = bound;
  }
  return exceeded;
}
