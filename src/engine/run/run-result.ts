import type { ReasonCode } from '#contract/reason-codes.ts';
import type { Settled } from '#domain/settle.ts';
import type { LiveDelivery } from '#engine/run/live-delivery.ts';

/** What an attempt came to. */
export type OutcomeRow = {
  job: { id: string; scheduled_for: string };
  /** The claim that reports. If it no longer owns the job, only a message that arrived is recorded. */
  claimId: string;
  delivery: LiveDelivery;
  settled: Settled;
  channelId: string | null;
  provider: string | null;
  contentHash: string | null;
  /** When the attempt began; null when none was made, because the recipient was skipped or deferred. */
  beganAt: Temporal.Instant | null;
};

/** How a run ends its job, or when the job is claimed again. */
export type FinishRow = {
  jobId: string;
  claimId: string;
  status: 'completed' | 'failed' | 'cancelled' | 'pending';
  /** The status that replaces pending when the job was stopped: nothing of it is tried again. */
  ifStopped: 'completed' | 'failed' | 'cancelled';
  /** When a pending job is claimed again. */
  runAt: Temporal.Instant | null;
  /** Why nothing was sent, where the job ends as cancelled. */
  code: ReasonCode | null;
  message: string | null;
  startedAt: Temporal.Instant;
  /** What the execution's row says of the run; null writes no execution, because nothing was done. */
  logs: Record<string, unknown> | null;
  /**
   * The outcome, in the same batch, of the one attempt that the run was, when the ledger has no row of the job yet: both
   * can be written by one statement. Null for every other run.
   */
  onlyOutcome: OutcomeRow | null;
};
