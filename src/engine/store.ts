import type { ReceivingHours } from '#contract/receiving-hours.ts';
import type { Audience } from '#contract/audience.ts';
import type { MisfirePolicy } from '#contract/misfire.ts';
import type { FrequencyCap } from '#contract/frequency-cap.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { ReminderMetadata } from '#contract/reminders.ts';
import type { ScheduleConfig } from '#contract/schedules.ts';
import type { ReasonCode } from '#contract/reason-codes.ts';
import type { SealedSigning } from '#platform/signing.ts';
import type { WorkspacePlan } from '#domain/allowance.ts';
import type { TopicReason } from '#contract/topics.ts';
import type { About, Verdict } from '#domain/may-be-sent.ts';
import type { PersonInAudience } from '#domain/audience-targets.ts';
import type { StoredExclusion } from '#domain/exclusions.ts';
import type { Reason } from '#domain/ledger-reasons.ts';
import type { StoredMailStyle } from '#domain/mail-style.ts';
import type { Settled } from '#domain/settle.ts';
import type { ClaimDecision, NextOccurrence } from '#engine/run/claim-decision.ts';
import type { ClaimedJob, OwnedJob } from '#engine/run/claimed-job.ts';
import type { KnownContact } from '#engine/run/contacts.ts';
import type { ChannelRow, RateLimitedChannel } from '#engine/run/routes.ts';
import type { FinishRow, OutcomeRow } from '#engine/run/run-result.ts';
import type { EndedRow, LedgerRow, LiveDelivery } from '#engine/run/live-delivery.ts';
import type { z } from 'zod';

/**
 * The database operations of the engine's actors. Each one is a transaction. Instants are Temporal, identifiers UUIDs.
 * `postgres/store.ts` implements it for the product. `simulation/` has a model in memory for thousands of seeded runs,
 * and tests compare the two.
 */
export type EngineStore = {
  /**
   * Takes due jobs, lets `decide` inspect them and query related data, and writes the decision: leases, next
   * occurrences, ledger rows. After the commit every attempt that it began is on record. Null when nothing was due.
   */
  claim(request: ClaimRequest, decide: (found: Found) => Promise<ClaimDecision>): Promise<ClaimDecision | null>;
  /** When the next job comes due, leaving out these workspaces and jobs that wait for their audience; null when nothing is pending. */
  nextDue(except: readonly string[]): Promise<Temporal.Instant | null>;
  /**
   * A workspace with due jobs that wait for their audience: the first after `after` in order of the ids, which go on with the lowest. Null when there is
   * none.
   */
  awaitingAudience(request: {
    now: Temporal.Instant;
    except: readonly string[];
    after: string;
  }): Promise<string | null>;
  /**
   * Which of these deliveries may still be sent: the jobs that the claim owns and nobody stopped, the deliveries that the suppression list or a lacking
   * consent forbids (by their positions), and the channels of their workspaces.
   */
  stillOwned(
    claimId: string,
    request: { waiting: readonly WaitingDelivery[]; now: Temporal.Instant },
  ): Promise<{ owned: Set<string>; suppressed: Map<number, Skip>; channels: ChannelRow[] }>;
  /**
   * Begins attempts of one job over open ledger rows. Skips recipients whom the suppression list or a lacking consent forbids by now, and returns the rows
   * that have ended already. Reads the workspace's channels again, because a long list of recipients may take minutes.
   */
  beginAttempts(
    job: OwnedJob,
    request: { chosen: readonly LiveDelivery[]; about: Pick<About, 'topicId' | 'occasion'>; now: Temporal.Instant },
  ): Promise<{ begun: Begun[]; ended: EndedRow[]; channels: ChannelRow[] }>;
  /** The state of a job for its owner; null when it is deleted. */
  jobState(jobId: string): Promise<JobState | null>;
  /** Ends the job's open ledger rows unsent. Returns the ended rows. */
  skipOpen(job: OwnedJob, request: Reason & { now: Temporal.Instant }): Promise<EndedRow[]>;
  /** Reserves rate slots of a rate-limited channel, all within one second. The next call gets later slots. */
  takeTimes(channel: RateLimitedChannel, request: { count: number; now: Temporal.Instant }): Promise<TakenTimes>;
  /** Lets nobody reserve a rate slot of this channel before `until`. */
  backOffChannel(channel: RateLimitedChannel, until: Temporal.Instant): Promise<void>;
  /** Extends the leases. Returns the claims that still exist. */
  extendLeases(claimIds: readonly string[], until: Temporal.Instant): Promise<Set<string>>;
  /** Writes outcomes and results. Of the ended claims it removes those that no job names. */
  record(batch: RecordBatch): Promise<void>;
  /** All claims that have not ended, each with its lease as last extended. */
  openClaims(): Promise<OpenClaim[]>;
  /**
   * Looks among the next jobs after this id for running ones that no claim lists, and writes their claims again, with a lease that is over, so that
   * they are rescued like others. `last` is the id after which the next call goes on, null when none is left.
   */
  restoreClaims(request: { after: string; now: Temporal.Instant }): Promise<{ jobs: number; last: string | null }>;
  /** Rescues a claim whose worker is lost. Null when its lease was extended meanwhile or another process rescues it. */
  rescue(request: RescueRequest, settle: (attempt: LostAttempt) => Settled): Promise<Rescued | null>;
  /**
   * Of the next reminders after this id, the active ones without a next occurrence: among all scheduled ones, or among those with an occurrence
   * whose time passed while it was paused. `last` is the id after which the next call goes on, null when none is left.
   */
  withoutNext(request: {
    after: string;
    now: Temporal.Instant;
    only: 'paused' | 'every';
  }): Promise<{ reminders: BareReminder[]; last: string | null }>;
  /** Schedules occurrences. A time that has its job already keeps it. */
  schedule(nextOccurrences: readonly NextOccurrence[]): Promise<void>;
};

/** `count` rate slots from `first` on, spaced by the channel's rate. The next free one is at `next`. */
export type TakenTimes = { first: Temporal.Instant; count: number; next: Temporal.Instant };

export type ClaimRequest = {
  claimId: string;
  now: Temporal.Instant;
  leaseUntil: Temporal.Instant;
  worker: string;
  maxJobs: number;
  order:
    | { by: 'due' }
    /** The earliest few of each workspace, in order of their ids, of which `after` comes last. */
    | { by: 'round_robin'; perWorkspace: number; after: string }
    /** Those of a workspace that an earlier claim left because of their audience: no other order takes them. */
    | { by: 'audience'; workspaceId: string };
  /** Workspaces that round robin leaves out. */
  except: readonly string[];
};

/** The jobs that a claim has taken, with the queries that its decision may run. */
export type Found = {
  jobs: ClaimedJob[];
  /**
   * The workspaces of the jobs, with their channels. The usage of those on `limitedTiers` is locked until the commit.
   */
  workspaces(limitedTiers: readonly string[]): Promise<{ facts: WorkspaceFacts[]; channels: ChannelRow[] }>;
  /** Those of these messages that the suppression list or a lacking consent forbids, by their positions. */
  suppressed(asked: readonly Addressed[]): Promise<Map<number, Skip>>;
  /**
   * Counts these messages for today, as many of them as the caps leave room for, in their order. Returns those that have no room, by their positions, and
   * whether it is the week that is full.
   */
  takeCapacity(asked: readonly CappedMessage[]): Promise<Map<number, { isWeekFull: boolean }>>;
  /** What keeps these people from a run, by `exclusionKey`; without those whom nothing keeps. */
  exclusions(asked: readonly ExclusionRequest[]): Promise<Map<string, StoredExclusion>>;
  /** The contacts with these addresses and numbers, by `keyInWorkspace`. */
  contacts(asked: readonly { workspaceId: string; key: string }[]): Promise<Map<string, KnownContact>>;
  /** In which hours those of these addresses and numbers want messages who have said so, by `keyInWorkspace`. */
  wishes(asked: readonly { workspaceId: string; key: string }[]): Promise<Map<string, ReceivingHours>>;
  /** The people of an audience now, at most `limit`, each once. */
  audience(asked: AudienceRequest): Promise<PersonInAudience[]>;
  ledger(jobs: readonly ClaimedJob[]): Promise<LedgerRow[]>;
};

/** A message to one recipient, who is given by their key, in a workspace with this cap. */
export type CappedMessage = { workspaceId: string; cap: FrequencyCap; channel: ChannelType; key: string };

/** `among`: only these contacts; null for all. */
export type AudienceRequest = {
  workspaceId: string;
  audience: Audience;
  among: readonly string[] | null;
  limit: number;
};

/** A person of a run: a contact of its audience, else whoever has the address or number, given by its `contactKey`. */
export type ExclusionRequest = { workspaceId: string; jobId: string; contactId: string | null; key: string };

export const exclusionKey = ({ jobId, contactId, key }: Omit<ExclusionRequest, 'workspaceId'>) =>
  `${jobId} ${contactId ?? key}`;

/** A message to a recipient, who is given by their key. `needsConsent`: the workspace requires a consent for the channel. */
export type Addressed = Pick<About, 'topicId' | 'occasion'> & {
  workspaceId: string;
  channel: ChannelType;
  key: string;
  needsConsent: boolean;
};

export type Skip = Extract<Verdict, { kind: 'skip' }>;

export type WorkspaceFacts = WorkspacePlan &
  StoredMailStyle & {
    id: string;
    /** The name of the sender in messages. */
    company_name: string;
    avatar_url: string | null;
    is_demo: boolean;
    /** What a demo has sent, in all and in this hour; null for a workspace that is none. */
    demo_sent: { messages: number; hour_messages: number } | null;
    has_suppressions: boolean;
    /** The channels for which it requires a consent. */
    consent_for: readonly ChannelType[];
    /** Why nobody can leave the required topics, by their ids. */
    required_topics: Readonly<Record<string, TopicReason>>;
    /** The sealed key of erased addresses; null where the workspace has erased nobody. */
    erasure_secret: string | null;
    has_contacts: boolean;
    /** Somebody has said in which hours they want messages. */
    has_wishes: boolean;
    /** Reminders to somebody are paused, or were, or a run is skipped for somebody. */
    has_exclusions: boolean;
    /** The workspace prefers to miss an SMS or chat message rather than send it twice. */
    prefers_miss: boolean;
    /** The rule for missed occurrences of reminders that have none of their own. */
    misfire: MisfirePolicy;
    /** When the last pause of all reminders ends or has ended; an ISO instant, null when there was none. */
    paused_until: string | null;
    /** The setting as it is stored; null when unset. */
    sending_hours: unknown;
    /** The setting as it is stored; null when unset. */
    frequency_cap: unknown;
    /** Occurrences that counted against the plan this month (UTC). */
    used: number;
    /** The sealed secret that signs its webhooks; null before somebody has asked for one. */
    signing: SealedSigning | null;
  };

export type WaitingDelivery = Omit<Addressed, 'needsConsent'> & { jobId: string };
export type Begun = { channel: string; recipient: string; attempts: number };
export type JobState = {
  status: string;
  claim_id: string | null;
  stop_reason: string | null;
  error_message: string | null;
  /** The code of either reason. */
  reason_code: ReasonCode | null;
};

export type RecordBatch = {
  now: Temporal.Instant;
  outcomes: readonly OutcomeRow[];
  finishes: readonly FinishRow[];
  /** Claims whose jobs have ended, as their worker believes. */
  endedClaims: readonly string[];
  /** The workspaces whose clients are notified. */
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
  /** True when the job was cancelled: nothing is sent again. */
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
