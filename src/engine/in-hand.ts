import type { LiveDelivery, Run } from '#engine/run.ts';
import type { Way } from '#engine/ways.ts';

/** One delivery of a run, and the channel and gate that it has to pass: null where there is nobody to be reached. */
export type InHand = {
  run: Run;
  delivery: LiveDelivery;
  way: Way | null;
  /** Its turn on a limited channel, in milliseconds since 1970; null where it has none. */
  startAtMs: number | null;
  isSuppressed: boolean;
};
