import { setImmediate as eventLoop } from 'node:timers/promises';

/** How many items are worked on before other requests are served. */
export const sliceSize = 500;

/** How many items were worked on since other requests were last served. */
export type Slice = { size: number };

/** Serves other requests, before more work that takes its time. */
export const serveOthers = (): Promise<void> => eventLoop();

/** Serves other requests when the slice is full, and begins the next one. */
export async function endFullSlice(slice: Slice): Promise<void> {
  if (slice.size < sliceSize) return;
  await eventLoop();
  slice.size = 0;
}

/** How long a slice of a computation takes at most, beside its last step. */
const sliceMs = 5;

/** Runs a long computation in slices, by the number of its steps and by time, and serves other requests between them. */
export async function finishInSlices<Result>(steps: Generator<void, Result>): Promise<Result> {
  let size = 0;
  let began = performance.now();
  let step = steps.next();
  while (step.done !== true) {
    size += 1;
    if (size >= sliceSize || performance.now() - began > sliceMs) {
      await eventLoop();
      size = 0;
      began = performance.now();
    }
    step = steps.next();
  }
  return step.value;
}

/**
 * Maps a long list in slices, and serves other requests between them: the list takes as long, and stalls nobody.
 * @param options.slice a slice that other work has begun
 */
export async function mapInSlices<T, R>(
  list: readonly T[],
  map: (item: T) => R,
  { slice = { size: 0 } }: { slice?: Slice } = {},
): Promise<R[]> {
  const mapped: R[] = [];
  for (const item of list) {
    if (slice.size >= sliceSize) await endFullSlice(slice);
    mapped.push(map(item));
    slice.size += 1;
  }
  return mapped;
}
