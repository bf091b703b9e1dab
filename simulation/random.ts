/** Random numbers that a seed determines. */
export type Random = {
  /** In [0, 1). */
  next(): number;
  chance(probability: number): boolean;
  /** A whole number, both ends included. */
  between(low: number, high: number): number;
  pick<const T>(from: readonly [T, ...T[]]): T;
  shuffled<T>(list: readonly T[]): T[];
};

/** mulberry32. Streams of one seed are independent, so that one can change without the others. */
export function createRandom(seed: number, stream = 0): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b)) >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    chance: (probability) => next() < probability,
    between,
    pick: (from) => from[between(0, from.length - 1)] ?? from[0],
    shuffled: (list) =>
      list
        .map((item) => ({ item, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item),
  };
}

export const asFilled = <T>([first, ...others]: readonly T[]): [T, ...T[]] => {
  if (first === undefined) throw new Error('There is nothing to choose from');
  return [first, ...others];
};
