import type { ReceivingHours } from '#contract/receiving-hours.ts';
import type { FrequencyCap } from '#contract/frequency-cap.ts';
import type { TopicKind } from '#contract/topics.ts';
import type { Entry } from '#domain/may-be-sent.ts';
import type { Word } from '#domain/newest-consent.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Tier } from '#contract/tiers.ts';
import type { GroupRule } from '#contract/contact-groups.ts';
import type { JobStatus } from '#contract/job-states.ts';
import type { DeliveryStatus } from '#contract/deliveries.ts';
import type { JobType } from '#contract/job-types.ts';
import type { MisfirePolicy } from '#contract/misfire.ts';
import type { ReasonCode } from '#contract/reason-codes.ts';
import type { ReasonParams } from '#contract/reason-params.ts';
import type { ReminderInput, ReminderStatus } from '#contract/reminders.ts';
import type { ChannelRow } from '#engine/run/routes.ts';
import type { LiveDelivery } from '#engine/run/live-delivery.ts';

/** Instants are ISO text in UTC with milliseconds, so that they compare as text. */
export type JobRow = {
  id: string;
  workspace_id: string;
  reminder_id: string | null;
  name: string;
  type: JobType;
  status: JobStatus;
  scheduled_for: string;
  run_at: string;
  expires_at: string | null;
  attempts: number;
  max_attempts: number;
  revision: number;
  payload: Record<string, unknown>;
  error_message: string | null;
  stop_reason: string | null;
  reason_code: ReasonCode | null;
  claim_id: string | null;
  started_at: string | null;
  completed_at: string | null;
  paused_at: string | null;
};

export type DeliveryRow = {
  id: string;
  workspace_id: string;
  job_id: string;
  scheduled_for: string;
  channel: LiveDelivery['channel'];
  recipient: string;
  recipient_name: string | null;
  status: DeliveryStatus;
  attempts: number;
  unknowns: number;
  reason: string | null;
  reason_code: ReasonCode | null;
  reason_params: ReasonParams | null;
  channel_id: string | null;
  provider: string | null;
  provider_id: string | null;
  provider_answer: string | null;
  content_hash: string | null;
  first_attempt_at: string | null;
  last_attempt_at: string | null;
  next_attempt_at: string | null;
  completed_at: string | null;
  contact_id: string | null;
  through: string | null;
  by_preference: boolean;
  has_failed_late: boolean;
};

export type ExecutionRow = {
  workspace_id: string;
  job_id: string;
  status: 'completed' | 'failed';
  started_at: string;
  completed_at: string;
  duration_ms: number | null;
  error_message: string | null;
  logs: Record<string, unknown>;
};

/** Delivery id, job id, channel, recipient, name. */
export type BegunEntry = [string, string, LiveDelivery['channel'], string, string | null];

export type ClaimRow = {
  id: string;
  worker: string;
  lease_until: string;
  job_ids: string[];
  begun: BegunEntry[];
  created_at: string;
};

export type QueueRow = { job_id: string; workspace_id: string; run_at: string; awaits_audience: boolean };

export type ReminderRow = Pick<ReminderInput, 'name' | 'schedule_config' | 'content' | 'metadata'> & {
  id: string;
  workspace_id: string;
  status: ReminderStatus | 'deleted';
  revision: number;
};

export type ContactRow = {
  id: string;
  workspace_id: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  tags: string[];
  variables: Record<string, string>;
};

export type GroupRow = { id: string; workspace_id: string; name: string; rule: GroupRule };

export type SuppressionRow = { workspace_id: string; channel: string; recipient: string } & Entry;

export type ConsentRow = { workspace_id: string; channel: string; recipient: string } & Word;

export type TopicRow = { id: string; workspace_id: string; kind: TopicKind };

export type WorkspaceRow = {
  id: string;
  name: string;
  tier: Tier;
  trial_ends_at: string;
  prefers_miss: boolean;
  /** The channels over which nothing is sent without a consent. */
  consent_for: ChannelType[];
  /** The rule of reminders without one of their own. */
  misfire: MisfirePolicy;
  /** When the last pause of all reminders ends or has ended. */
  paused_until: string | null;
  frequency_cap: FrequencyCap | null;
  /** It is being deleted, and may be restored. */
  is_deleted: boolean;
};

/** The rows of both stores, as the conformance test compares them and the checker reads them. */
export type Rows = {
  jobs: JobRow[];
  queue: QueueRow[];
  claims: ClaimRow[];
  deliveries: DeliveryRow[];
  executions: ExecutionRow[];
  reminders: ReminderRow[];
  usage: { workspace_id: string; month: string; occurrences: number }[];
};

/** The product's tables in memory. */
export type Tables = {
  workspaces: Map<string, WorkspaceRow>;
  channels: Map<string, ChannelRow>;
  suppressions: SuppressionRow[];
  consents: ConsentRow[];
  /** In which hours recipients want messages, by `keyInWorkspace`. */
  wishes: Map<string, ReceivingHours>;
  topics: Map<string, TopicRow>;
  contacts: Map<string, ContactRow>;
  groups: Map<string, GroupRow>;
  /** How many messages were counted on each day of a week, by workspace, channel, key and Monday. */
  sentCounts: Map<string, number[]>;
  /** By rate-limited channel: the first free rate slot, and the end of a back-off. */
  rateLimits: Map<string, { nextFreeMs: number; backedOffUntilMs: number }>;
  /** By workspace and month. */
  usage: Map<string, Rows['usage'][number]>;
  reminders: Map<string, ReminderRow>;
  /** Deleted reminders: their status, and the jobs that were deleted with them. */
  deleted: Map<string, { status: ReminderRow['status']; jobs: JobRow[] }>;
  jobs: Map<string, JobRow>;
  /** By the whole key, so that a duplicate job shows. */
  queue: Map<string, QueueRow>;
  claims: Map<string, ClaimRow>;
  /** By job, then by the rest of the ledger's key. */
  deliveries: Map<string, Map<string, DeliveryRow>>;
  executions: ExecutionRow[];
};

export const emptyTables = (): Tables => ({
  workspaces: new Map(),
  channels: new Map(),
  suppressions: [],
  consents: [],
  wishes: new Map(),
  topics: new Map(),
  contacts: new Map(),
  groups: new Map(),
  sentCounts: new Map(),
  rateLimits: new Map(),
  usage: new Map(),
  reminders: new Map(),
  deleted: new Map(),
  jobs: new Map(),
  queue: new Map(),
  claims: new Map(),
  deliveries: new Map(),
  executions: [],
});

export const rowsOf = (tables: Tables): Rows => ({
  jobs: [...tables.jobs.values()],
  queue: [...tables.queue.values()],
  claims: [...tables.claims.values()],
  deliveries: [...tables.deliveries.values()].flatMap((ofJob) => [...ofJob.values()]),
  executions: [...tables.executions],
  reminders: [...tables.reminders.values()],
  usage: [...tables.usage.values()],
});

export const isoOf = (instant: Temporal.Instant | string): string =>
  new Date(typeof instant === 'string' ? instant : instant.epochMilliseconds).toISOString();

/** The error that PostgreSQL raises with this SQLSTATE. */
export const refusedByDatabase = (code: string, message: string) => Object.assign(new Error(message), { code });
