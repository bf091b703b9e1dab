import type { ChannelType, ReminderMetadata } from '#contract/reminders.ts';
import type { ScheduleConfig } from '#contract/schedules.ts';
import type { DeliveryStatus } from '#contract/jobs.ts';
import type { Settled } from '#domain/settle.ts';
import type { Contact } from '#domain/variables.ts';
import type { Claim, Successor } from '#engine/claimed.ts';
import type { ClaimedJob, LiveDelivery, PacedChannel } from '#engine/run.ts';
import type { z } from 'zod';

/**
 * What the actors ask of the database. Each verb is one transaction: it happens whole or not at all. Instants are
 * Temporal, identifiers uuids. `postgres/store.ts` is the product's; a model in memory stands in for it where thousands of
 * seeded simulations run in a minute, and is held against it by tests.
 */
export type EngineStore = {
  /**
   * Takes due jobs, lets `decide` look at them and at what it asks for, and writes what it decided: leases, successors,
   * ledger rows. After the commit every attempt that it began is on record. Null when nothing was due.
   */
  claim(request: ClaimRequest, decide: (found: Found) => Promise<Claim>): Promise<Claim | null>;
  /** When the next job comes due, leaving out what these workspaces have; null when nothing waits. */
  nextDue(except: readonly string[]): Promise<Temporal.Instant | null>;
  /**
   * What is still true for these: the jobs that the claim holds and nobody told to stop, who is suppressed by now (as
   * `suppressionKey`), and the channels of their workspaces.
   */
  stillHeld(
    claimId: string,
    waiting: readonly WaitingDelivery[],
  ): Promise<{ held: Set<string>; suppressed: Set<string>; channels: ChannelRow[] }>;
  /**
   * Begins attempts of one job that the ledger has as open, leaving out and skipping who is suppressed by now; tells what
   * has ended already. Asks for the workspace's channels anew, because a long list of recipients may take minutes.
   */
  beginAttempts(
    job: HeldJob,
    request: { chosen: readonly LiveDelivery[]; now: Temporal.Instant },
  ): Promise<{ begun: Begun[]; ended: EndedRow[]; channels: ChannelRow[] }>;
  /** How a job stands for who holds it; null when it is gone. */
  standOf(jobId: string): Promise<Stand | null>;
  /** What the job's ledger has as open ends unsent. Returns how. */
  skipOpen(job: HeldJob, request: { reason: string; now: Temporal.Instant }): Promise<EndedRow[]>;
  /** Takes times at which messages of a limited channel start, all within a second; what asks next gets later ones. */
  takeTimes(channel: PacedChannel, request: { count: number; now: Temporal.Instant }): Promise<TakenTimes>;
  /** Nobody takes a time of this channel before then. */
  holdChannel(channel: PacedChannel, until: Temporal.Instant): Promise<void>;
  /** Extends the leases; returns the claims that are still there. */
  extendLeases(claimIds: readonly string[], until: Temporal.Instant): Promise<Set<string>>;
  /** Writes outcomes and results, and removes claims of which nothing is in hand. */
  record(batch: RecordBatch): Promise<void>;
  /** Every claim, with its lease as it was last extended. */
  openClaims(): Promise<OpenClaim[]>;
  /** Takes up a claim, unless its lease was extended meanwhile or somebody else is at it: null then. */
  rescue(request: RescueRequest, settle: (attempt: LostAttempt) => Settled): Promise<Rescued | null>;
  /** Active scheduled reminders after this id that lack their next occurrence. */
  withoutNext(request: { after: string; now: Temporal.Instant; only: 'paused' | 'every' }): Promise<BareReminder[]>;
  /** Plans occurrences. A time that has its job already keeps it. */
  plan(successors: readonly Successor[]): Promise<void>;
};

/** `count` times from `first` on, as far apart as the channel's rate says; the next one is free at `next`. */
export type TakenTimes = { first: Temporal.Instant; count: number; next: Temporal.Instant };

export type ClaimRequest = {
  claimId: string;
  now: Temporal.Instant;
  leaseUntil: Temporal.Instant;
  worker: string;
  /** Jobs to take at the most. */
  limit: number;
  /** By due time; or in turn, the earliest few of every workspace. */
  order: { by: 'due' } | { by: 'turn'; perWorkspace: number };
  /** Workspaces to leave out. */
  except: readonly string[];
};

/** What a claim has taken, and what may be asked about it before anything is decided. */
export type Found = {
  jobs: ClaimedJob[];
  /** The workspaces of the jobs, with their channels; the usage of those on `limitedTiers` is locked until the commit. */
  workspaces(limitedTiers: readonly string[]): Promise<{ facts: WorkspaceFacts[]; channels: ChannelRow[] }>;
  /** Of these, who is on the suppression list, as `suppressionKey`. */
  suppressed(recipients: readonly { workspaceId: string; channel: ChannelType; key: string }[]): Promise<Set<string>>;
  /** Of these addresses and numbers, the contacts, by `keyInWorkspace`. */
  contacts(asked: readonly { workspaceId: string; key: string }[]): Promise<Map<string, KnownContact>>;
  ledger(jobs: readonly ClaimedJob[]): Promise<LedgerRow[]>;
};

/** With the zone that it lives in, an IANA name, where that is known. */
export type KnownContact = Contact & { timezone: string | null };

export const suppressionKey = (row: { workspaceId: string; channel: string; key: string }) =>
  `${row.workspaceId} ${row.channel} ${row.key}`;

export type WorkspaceFacts = {
  id: string;
  name: string;
  tier: string;
  created_at: string;
  has_suppressions: boolean;
  has_contacts: boolean;
  /** The workspace would rather miss an SMS or chat message than send it twice. */
  prefers_miss: boolean;
  /** As the workspace's settings have them; null where it has set none. */
  sending_hours: unknown;
  /** Occurrences that counted against the plan this month (UTC). */
  used: number;
};

/** A channel of a workspace. */
export type ChannelRow = {
  id: string;
  workspace_id: string;
  type: ChannelType;
  is_active: boolean;
  configuration: Record<string, unknown>;
  sealed_secrets: Record<string, string>;
  rate_limit_per_second: number | null;
  updated_at: string;
};

export type LedgerRow = LiveDelivery & {
  job_id: string;
  status: DeliveryStatus;
  first_attempt_at: string | null;
  next_attempt_at: string | null;
  reason: string | null;
};

export type HeldJob = { id: string; workspaceId: string; scheduledFor: string; claimId: string };
export type WaitingDelivery = { jobId: string; workspaceId: string; channel: ChannelType; recipient: string };
export type EndedRow = { channel: string; recipient: string; status: DeliveryStatus; reason: string | null };
export type Begun = { channel: string; recipient: string; attempts: number };
export type Stand = {
  status: string;
  claim_id: string | null;
  stop_reason: string | null;
  error_message: string | null;
};

export type OutcomeRow = {
  job: { id: string; scheduled_for: string };
  /** Whoever no longer holds the job is heard only where the message did arrive. */
  claimId: string;
  delivery: LiveDelivery;
  settled: Settled;
  channelId: string | null;
  provider: string | null;
  contentHash: string | null;
  /** When the attempt began; null where none was made: the recipient was skipped or put off. */
  beganAt: Temporal.Instant | null;
};

export type FinishRow = {
  jobId: string;
  claimId: string;
  status: 'completed' | 'failed' | 'cancelled' | 'pending';
  /** What a pending one is instead where it was told to stop: nothing of it is tried again. */
  ifStopped: 'completed' | 'failed' | 'cancelled';
  /** When a pending one is taken up again. */
  runAt: Temporal.Instant | null;
  message: string | null;
  startedAt: Temporal.Instant;
  /** What the execution's row tells of the run; null leaves no execution, because nothing was done. */
  logs: Record<string, unknown> | null;
};

export type RecordBatch = {
  now: Temporal.Instant;
  outcomes: readonly OutcomeRow[];
  finishes: readonly FinishRow[];
  endedClaims: readonly string[];
  /** Of whom the screens are told. */
  workspaceIds: readonly string[];
};

/** `leaseUntil` is an ISO instant. */
export type OpenClaim = { id: string; leaseUntil: string };

export type RescueRequest = { claim: OpenClaim; now: Temporal.Instant };

/** An attempt that was under way when its worker was lost. */
export type LostAttempt = LiveDelivery & {
  job_id: string;
  workspace_id: string;
  scheduled_for: string;
  expires_at: string | null;
  began_at: string;
  /** Nothing is sent again. */
  is_cancelled: boolean;
  prefers_miss: boolean;
};

export type Rescued = { jobs: number; attempts: number };

export type BareReminder = {
  id: string;
  workspace_id: string;
  name: string;
  revision: number;
  schedule_config: ScheduleConfig;
  metadata: z.output<typeof ReminderMetadata>;
};
