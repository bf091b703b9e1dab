import type { NoticeKind } from '#contract/notices.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Reason } from '#domain/ledger-reasons.ts';
import type { ClaimedJob } from '#engine/run/claimed-job.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import type { LiveDelivery } from '#engine/run/live-delivery.ts';

/** A run, with the deliveries whose first attempt the claim has begun. */
export type Started = { run: JobRun; begun: LiveDelivery[] };

/** What a claim decided, and what is written with it. */
export type ClaimDecision = {
  id: string;
  /** Jobs that were taken, but go back into the queue: their audience is asked for by a claim of its own. */
  left: string[];
  started: Started[];
  rows: NewRow[];
  closed: ClosedRow[];
  /** Rows that ended because another channel had the message, which has failed since. */
  reopened: RowKey[];
  /** Rows that failed by a report, or that the suppression list ended, which now say what follows. */
  continued: (RowKey & Reason)[];
  /** Open rows that are due but deferred. */
  deferred: DeferredRow[];
  /** Jobs that expire later than usual; ISO instants. */
  extended: { jobId: string; expiresAt: string }[];
  nextOccurrences: NextOccurrence[];
  /** Occurrences that count against the monthly quota. */
  usage: { workspaceId: string; occurrences: number }[];
  /** What demos use of what they may send. */
  demoUse: { workspaceId: string; counted: number; sent: number; isSpent: boolean }[];
  notices: Notice[];
};

/** A new ledger row of a recipient whose attempt does not begin with the claim. */
export type NewRow = {
  id: string;
  job: ClaimedJob;
  channel: ChannelType;
  recipient: string;
  recipient_name: string | null;
  status: 'queued' | 'waiting' | 'skipped';
  reason: Reason | null;
  next_attempt_at: string | null;
  /** The contact's id, for a person of the audience. */
  contact_id: string | null;
  through: string | null;
  /** Whether the channel comes before the reminder's order because the person prefers it. */
  by_preference: boolean;
};

type RowKey = { job: ClaimedJob; channel: string; recipient: string };

/** A ledger row that is due but deferred until `at`, an ISO instant. */
export type DeferredRow = RowKey & { at: string } & Reason;

/** A ledger row that the claim ends unsent. */
export type ClosedRow = RowKey & { status: 'skipped' | 'failed' | 'unknown' } & Reason;

/** An occurrence that is not sent although nobody cancelled it. The owners are notified. Instants are ISO text. */
export type Notice = {
  jobId: string;
  workspaceId: string;
  name: string;
  scheduledFor: string;
  timezone: string;
  kind: NoticeKind;
  reason: string;
};

export type NextOccurrence = {
  workspaceId: string;
  reminderId: string;
  name: string;
  at: string;
  maxAttempts: number;
  revision: number;
};
