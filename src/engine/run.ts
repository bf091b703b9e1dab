import type { Audience } from '#contract/audience.ts';
import type { DeliveryStatus } from '#contract/deliveries.ts';
import type { JobType } from '#contract/jobs.ts';
import type { MessageFormat } from '#contract/message-format.ts';
import type { channelModes, ReminderContent, ReminderMetadata, ReminderStatus } from '#contract/reminders.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { ScheduleConfig } from '#contract/schedules.ts';
import type { SendRoute } from '#delivery/adapter.ts';
import type { Tally } from '#domain/job-state.ts';
import type { MailStyle } from '#domain/mail-style.ts';
import type { Contact } from '#domain/variables.ts';
import type { Brand } from '#domain/white-label.ts';
import type { SealedSigning } from '#features/signing-secret/signing-secret.service.ts';
import type { z } from 'zod';

/** A job as the claim returns it. */
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
  /** When it came due, if that is not its scheduled time: it was resumed later, or waits for a retry. */
  due_at: string | null;
  /** When it was first claimed; null if by this claim. */
  begun_at: string | null;
  /** Why a person or an edit stopped the job during an earlier run. */
  stop_reason: string | null;
  /** The event that created the job; `payload` then holds the event's data. */
  event_id: string | null;
  payload: Record<string, unknown>;
  reminder_status: ReminderStatus | null;
  reminder_revision: number | null;
  schedule_config: ScheduleConfig | null;
  content: z.output<typeof ReminderContent> | null;
  metadata: z.output<typeof ReminderMetadata> | null;
};

/** One ledger row while its attempt is prepared or under way. */
export type LiveDelivery = {
  id: string;
  channel: ChannelType;
  recipient: string;
  recipient_name: string | null;
  /** The number of the attempt under way; 0 while queued. */
  attempts: number;
  unknowns: number;
};

/** What a claimed job sends, whatever created it. */
export type Work = {
  subject: string;
  message: string;
  format: MessageFormat;
  recipients: readonly string[];
  /** The contacts to whom it is sent beside the recipients; null when there are none. */
  audience: Audience | null;
  channels: readonly ChannelType[];
  /** Whether several channels are all used or tried in order. */
  mode: (typeof channelModes)[number];
  pinned: Readonly<Partial<Record<ChannelType, string>>>;
  /** The user whose browsers receive a push; null means every member's. */
  pushTo: string | null;
  values: Readonly<Record<string, string>>;
  data: Readonly<Record<string, string>>;
  timezone: string;
  isTest: boolean;
};

/** How a channel type is sent for this run, or why it cannot be: it is switched off, or it is faulty. */
export type Route = OpenRoute | { problem: string; isOff: boolean };

/** `rateLimit` is set when the channel is rate limited. */
export type OpenRoute = SendRoute & { rateLimit?: RateLimitedChannel | null };

export type RateLimitedChannel = { id: string; workspaceId: string; ratePerSecond: number };

/** The channels of one type: the one in use, then those that replace it while it cannot be reached. */
export type Routes = readonly [Route, ...Route[]];

/** A job that this worker has claimed, from the claim to its result. */
export type Run = {
  job: ClaimedJob;
  claimId: string;
  companyName: string;
  /** What recipients of mails see of the sender, where the plan includes it. */
  brand: Brand | null;
  mailStyle: MailStyle;
  /** What signs the workspace's webhooks, sealed; null where nothing does. */
  signing: SealedSigning | null;
  /** It belongs to a demo: its messages go into the sandbox only. */
  isDemo: boolean;
  /** An SMS or chat message that may have arrived is not sent again. */
  prefersMiss: boolean;
  work: Work;
  /** The recipients that are contacts of the workspace, as they were at the claim. `contactOf` finds one. */
  contacts: ReadonlyMap<string, Contact>;
  routes: (channel: ChannelType) => Routes;
  /** For channels tried in order: by `ledgerKey`, the deliveries that have another channel after them. */
  fallbacks: ReadonlyMap<string, Fallback>;
  /** The workspace's sending hours; null when it may send at any time. */
  hours: Hours | null;
  scheduledFor: Temporal.Instant;
  startedAt: Temporal.Instant;
  expiresAt: Temporal.Instant;
  /** Attempts begun that have no outcome yet, including those that wait for a slot of their destination. */
  inFlight: number;
  /** Deliveries not begun yet. */
  overflow: LiveDelivery[];
  /** Queued recipients whose attempt may have begun in the ledger: the database did not answer. */
  unconfirmed: Set<string>;
  /** Final statuses, of this run and of earlier ones. */
  tally: Tally;
  /** The earliest next attempt of a waiting delivery. */
  nextAttemptAt: Temporal.Instant | null;
  /** A waiting delivery may have arrived already. */
  isUncertain: boolean;
  /** A recipient who was not reached is tried over the next channel. */
  isFallingBack: boolean;
  /** The reasons of the last failure and of the last skip, for the job's error message. */
  lastFailure: string | null;
  lastSkip: string | null;
  /** Recipients of this run that have an outcome, for the execution's log. */
  attempted: number;
  /** When the database last confirmed that the job is to be sent, in epoch milliseconds. */
  checkedAtMs: number;
  /** Another worker owns the job now: nothing more may be started or finished. */
  isLost: boolean;
};

export const isFinal = (status: DeliveryStatus) => status !== 'queued' && status !== 'sending' && status !== 'waiting';

/** True when the ledger has no row of this job yet. A manual retry sets its own expiry and resets the attempts. */
export const isFirstClaim = (job: ClaimedJob) => job.attempts === 1 && job.expires_at === null;

/** The sending hours of one workspace, while its jobs run. */
export type Hours = {
  isFor(channel: ChannelType): boolean;
  /** Returns until when a delivery that is due `at` is deferred, with the reason; null when it may be sent. */
  deferralOf(of: { channel: ChannelType; recipient: string }, at: Temporal.Instant): Deferral | null;
  /** Returns until when a message that is due at `from` may be tried. */
  lastsUntil(recipient: string, from: Temporal.Instant): Temporal.Instant;
};

export type Deferral = { at: Temporal.Instant; where: string; reason: string };

/** A delivery over one channel that has another channel after it. */
export type Fallback = {
  next: ChannelType;
  /** The end of the attempts over this channel. Then the next channel is tried. */
  until: Temporal.Instant;
  /** The ledger has the next channel's row as open already: a manual retry opens every row that was not served. */
  hasSpare: boolean;
};
