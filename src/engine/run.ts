import type { DeliveryStatus, JobType } from '#contract/jobs.ts';
import type {
  channelModes,
  ChannelType,
  ReminderContent,
  ReminderMetadata,
  ReminderStatus,
} from '#contract/reminders.ts';
import type { ScheduleConfig } from '#contract/schedules.ts';
import type { SendRoute } from '#delivery/adapter.ts';
import type { Tally } from '#domain/job-state.ts';
import type { Contact } from '#domain/variables.ts';
import type { z } from 'zod';

/** A job as the claim hands it over. */
export type ClaimedJob = {
  id: string;
  workspace_id: string;
  reminder_id: string | null;
  name: string;
  type: JobType;
  scheduled_for: string;
  attempts: number;
  revision: number;
  expires_at: string | null;
  /** When it came due, where that is not its scheduled time: resumed later, or waiting for a retry. */
  due_at: string | null;
  /** When it was first claimed; null by this claim. */
  begun_at: string | null;
  /** Told while an earlier run was under way. */
  stop_reason: string | null;
  payload: Record<string, unknown>;
  reminder_status: ReminderStatus | null;
  reminder_revision: number | null;
  schedule_config: ScheduleConfig | null;
  content: z.output<typeof ReminderContent> | null;
  metadata: z.output<typeof ReminderMetadata> | null;
};

/** One line of the ledger while its attempt is prepared or under way. */
export type LiveDelivery = {
  id: string;
  channel: ChannelType;
  recipient: string;
  recipient_name: string | null;
  /** Of the attempt under way; 0 while queued. */
  attempts: number;
  unknowns: number;
};

/** What a claimed job says, whatever it came from. */
export type Work = {
  subject: string;
  message: string;
  recipients: readonly string[];
  channels: readonly ChannelType[];
  /** Of several channels of a type the one to use: its id. */
  mode: (typeof channelModes)[number];
  pinned: Readonly<Partial<Record<ChannelType, string>>>;
  values: Readonly<Record<string, string>>;
  data: Readonly<Record<string, string>>;
  timezone: string;
  isTest: boolean;
};

/** How a channel type is sent for this run, or why it cannot be: because somebody switched it off, or for a fault. */
export type Route = OpenRoute | { problem: string; isOff: boolean };

/** `pace` where the channel is limited. */
export type OpenRoute = SendRoute & { pace?: PacedChannel | null };

export type PacedChannel = { id: string; workspaceId: string; ratePerSecond: number };

/** Of the channels of one type the one that sends, then those that take its place while it cannot be reached. */
export type Ways = readonly [Route, ...Route[]];

/** A claimed job in this worker's hands, from claim to result. */
export type Run = {
  job: ClaimedJob;
  claimId: string;
  companyName: string;
  /** An SMS or chat message that may have arrived is not sent again. */
  prefersMiss: boolean;
  work: Work;
  /** Whom the workspace knows of the recipients, as they were when the claim took the job: `contactOf` finds one. */
  contacts: ReadonlyMap<string, Contact>;
  ways: (channel: ChannelType) => Ways;
  /** Of channels that are tried in order: by `ledgerKey`, whatever another one follows. */
  steps: ReadonlyMap<string, Step>;
  /** When its messages may go out; null where they may at any time. */
  hours: Hours | null;
  scheduledFor: Temporal.Instant;
  startedAt: Temporal.Instant;
  expiresAt: Temporal.Instant;
  /** Begun, without outcome yet; those that stand before a full destination among them. */
  inFlight: number;
  /** Not begun yet. */
  queued: LiveDelivery[];
  /** Recipients in the queue whose attempt the ledger may have as begun: we were not answered. */
  unheard: Set<string>;
  /** Final statuses, of this run and of earlier ones. */
  tally: Tally;
  /** The earliest next attempt of a delivery that waits. */
  nextAttemptAt: Temporal.Instant | null;
  /** Something that waits may have arrived already. */
  isUncertain: boolean;
  /** A recipient who was not reached is tried over the next channel. */
  goesOn: boolean;
  /** The words of the last failure and of the last skip, for the job's own message. */
  lastFailure: string | null;
  lastSkip: string | null;
  /** Recipients of this run that came to an outcome, for the execution's log. */
  attempted: number;
  /** When the database last said that the job is to be sent, in milliseconds since 1970. */
  askedAtMs: number;
  /** Somebody else holds the job now: nothing more may be started or finished. */
  isLost: boolean;
};

export const isFinal = (status: DeliveryStatus) => status !== 'queued' && status !== 'sending' && status !== 'waiting';

/** Nothing of this job is in the ledger yet. A person's retry sets an expiry of its own and counts attempts anew. */
export const isFirstClaim = (job: ClaimedJob) => job.attempts === 1 && job.expires_at === null;

/** The sending hours of one workspace, while its jobs are in hand. */
export type Hours = {
  isFor(channel: ChannelType): boolean;
  /** Until when it waits what is due then, and the reason in words; null where it may go out. */
  holdOf(of: { channel: ChannelType; recipient: string }, at: Temporal.Instant): Hold | null;
  /** Until when a message that is due then may be tried. */
  lastsUntil(recipient: string, from: Temporal.Instant): Temporal.Instant;
};

export type Hold = { at: Temporal.Instant; where: string; reason: string };

/** A way to a recipient after which there is another one. */
export type Step = {
  next: ChannelType;
  /** Tried for so long; then the next one has its turn. */
  until: Temporal.Instant;
  /** The ledger has the next one as open already: a person's retry opens all that was not served. */
  hasSpare: boolean;
};
