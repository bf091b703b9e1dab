import type { Reason } from '#domain/ledger-reasons.ts';
import type { Endpoint } from '#engine/run/endpoint.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import type { LiveDelivery } from '#engine/run/live-delivery.ts';

/**
 * An attempt to send one delivery of a run, from the question whether it may begin to its outcome. `endpoint` is null
 * when its channel cannot send.
 */
export type Attempt = {
  run: JobRun;
  delivery: LiveDelivery;
  endpoint: Endpoint | null;
  /** Its rate slot on a rate-limited channel, in epoch milliseconds; null when it has none. */
  startAtMs: number | null;
  isSuppressed: boolean;
};

/** Until when a delivery is deferred, and why. */
export type Deferral = { atMs: number } & Reason;
