import type { ChannelType } from '#contract/reminders.ts';
import type { ClaimedJob, LiveDelivery, Run } from '#engine/run.ts';

/** A run with the deliveries whose first attempt the claim has begun. */
export type Started = { run: Run; begun: LiveDelivery[] };

/** What a claim decided, and what is written with it. */
export type Claim = {
  id: string;
  started: Started[];
  rows: NewRow[];
  closed: ClosedRow[];
  /** Open rows that are due, and wait on. */
  postponed: PostponedRow[];
  /** Jobs whose time lasts longer than is usual; ISO instants. */
  extended: { jobId: string; expiresAt: string }[];
  successors: Successor[];
  /** Occurrences that count against the plan of this month. */
  usage: { workspaceId: string; occurrences: number }[];
  notices: Notice[];
};

/** A row that the claim writes for a recipient whose attempt does not begin with it. */
export type NewRow = {
  id: string;
  job: ClaimedJob;
  channel: ChannelType;
  recipient: string;
  recipient_name: string | null;
  status: 'queued' | 'waiting' | 'skipped';
  reason: string | null;
  next_attempt_at: string | null;
};

/** A row of the ledger that is due and waits on. `at` is an ISO instant. */
export type PostponedRow = { job: ClaimedJob; channel: string; recipient: string; at: string; reason: string };

/** A row of the ledger that ends with the claim, unsent. */
export type ClosedRow = {
  job: ClaimedJob;
  channel: string;
  recipient: string;
  status: 'skipped' | 'failed' | 'unknown';
  reason: string;
};

/** An occurrence that is not sent although nobody wished so, for the owners to be told of. Instants are ISO text. */
export type Notice = {
  jobId: string;
  workspaceId: string;
  name: string;
  scheduledFor: string;
  timezone: string;
  reason: string;
};

export type Successor = {
  workspaceId: string;
  reminderId: string;
  name: string;
  at: string;
  maxAttempts: number;
  revision: number;
};
