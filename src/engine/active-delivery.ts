import type { LiveDelivery, Run } from '#engine/run.ts';
import type { Endpoint } from '#engine/endpoint.ts';

/**
 * One delivery of a run, with the channel and the destination that it goes to; `endpoint` is null when its channel
 * cannot send.
 */
export type ActiveDelivery = {
  run: Run;
  delivery: LiveDelivery;
  endpoint: Endpoint | null;
  /** Its rate slot on a rate-limited channel, in epoch milliseconds; null when it has none. */
  startAtMs: number | null;
  isSuppressed: boolean;
};
