import type { ReasonCode } from '#contract/reason-codes.ts';
import type { Settled } from '#domain/settle.ts';
import type { LiveDelivery } from '#engine/run/live-delivery.ts';

/** The outcome of an attempt, with what identifies its ledger row. */
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
  /** The status of the job in place of pending when it was stopped: nothing of it is tried again. */
  ifStopped: 'completed' | 'failed' | 'cancelled';
  /** When a pending job is claimed again. */
  runAt: Temporal.Instant | null;
  /** The code of why nothing was sent, where the job ends as cancelled. */
  code: ReasonCode | null;
  message: string | null;
  startedAt: Temporal.Instant;
  /** How many ledger rows the run knows of; where the ledger has fewer, the database has lost some of them. */
  rows: number;
  /** What the execution's row says about the run; null when nothing was done, which writes no execution. */
  logs: Record<string, unknown> | null;
  /**
   * The outcome of the run's only attempt, when the ledger has no row of the job yet: one statement can then write both. Null for every other run.
   */
  onlyOutcome: OutcomeRow | null;
};
