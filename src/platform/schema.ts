import type { Tier } from '#contract/tiers.ts';
import type { Scope } from '#contract/scopes.ts';
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType, Selectable } from 'kysely';
import type { ActDetails } from '#contract/acts.ts';
import type { ActorKind } from '#contract/audit-log.ts';
import type { CalendarOffset, LeftOut } from '#contract/calendar-sources.ts';
import type { NamingText } from '#contract/erasures.ts';
import type { ConsentKind, ConsentMethod, ConsentSource } from '#contract/consents.ts';
import type { GroupRule } from '#contract/contact-groups.ts';
import type { PictureType } from '#contract/pictures.ts';
import type { JobStatus } from '#contract/job-states.ts';
import type { DeliveryStatus } from '#contract/deliveries.ts';
import type { JobType } from '#contract/job-types.ts';
import type { ReasonCode } from '#contract/reason-codes.ts';
import type { ReasonParams } from '#contract/reason-params.ts';
import type { Failure } from '#contract/simulated-failures.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { ReminderContent, ReminderMetadata, ReminderStatus } from '#contract/reminders.ts';
import type { ScheduleConfig } from '#contract/schedules.ts';
import type { CategoryColor } from '#contract/template-categories.ts';
import type { TemplateContent, TemplateVariables } from '#contract/templates.ts';
import type { Role } from '#contract/workspaces.ts';
import type { z } from 'zod';

/** An instant: read as ISO text, written as ISO text. */
type Instant = ColumnType<string, string, string>;
type InstantDefault = ColumnType<string, string | undefined, string>;
type Json<T extends object> = JSONColumnType<T, string, string>;
type JsonDefault<T extends object> = ColumnType<T, string | undefined, string>;
type ReadOnly<Row> = { [Column in keyof Row]: ColumnType<Row[Column], never, never> };

/** A row with an id of its own and the time at which it was written first. */
type CreatedRow = { id: Generated<string>; created_at: InstantDefault };
type ChangedRow = CreatedRow & { updated_at: InstantDefault };

export type Profiles = ChangedRow & {
  email: string;
  full_name: string;
  avatar_url: string | null;
  is_system_admin: Generated<boolean>;
  is_demo: Generated<boolean>;
  /** When the demo of this visitor ends; null for everybody else. */
  demo_until: Instant | null;
  time_zone: string | null;
  notify_missed: Generated<boolean>;
  notify_over_plan: Generated<boolean>;
  /** When the trial ends that began with the first workspace; null before it. */
  trial_ends_at: Instant | null;
};

/** The picture of a person or of a workspace. */
export type Pictures = CreatedRow & {
  user_id: string | null;
  workspace_id: string | null;
  media_type: PictureType;
  sha256: string;
  bytes: Buffer;
};

export type Workspaces = ChangedRow & {
  name: string;
  slug: string;
  description: Generated<string>;
  company_name: GeneratedAlways<string>;
  avatar_url: string | null;
  settings: JsonDefault<Record<string, unknown>>;
  subscription_status: Generated<string>;
  subscription_tier: Generated<Tier>;
  subscription_end_date: Instant | null;
  /** When its paid plan ends and it becomes Free; null while the plan continues. */
  plan_ends_at: Instant | null;
  /** Until when a checkout of an order is being created; null or past when none is. */
  plan_order_until: Instant | null;
  /** The end of the trial of the person who created it: until then it has every feature. */
  trial_ends_at: InstantDefault;
  /** When the last pause of all reminders ends or has ended. */
  reminders_paused_until: Instant | null;
  /** From when on its data is deleted; null unless an owner has deleted it. */
  delete_after: Instant | null;
  /** When the demo ends; null unless a visitor of the demo created it. The database sets it. */
  demo_until: Instant | null;
  /** What a demo has used of the messages that it may send. */
  demo_messages: Generated<number>;
  demo_hour: Instant | null;
  /** Those since `demo_hour`, for an hour. */
  demo_hour_messages: Generated<number>;
  /** Since when a demo sends nothing more; null before. */
  demo_spent_at: Instant | null;
  /** Since when an administrator of the installation suspends it; null when none does. */
  suspended_at: Instant | null;
};

export type WorkspaceMembers = {
  id: Generated<string>;
  workspace_id: string;
  user_id: string;
  role: Role;
  joined_at: InstantDefault;
  /** When the member dismissed the first steps; null before. */
  first_steps_dismissed_at: Instant | null;
};

export type WorkspaceInvitations = CreatedRow & {
  workspace_id: string;
  email: string;
  role: 'admin' | 'member';
  token_hash: string;
  invited_by: string | null;
  expires_at: Instant;
  declined_at: Instant | null;
};

export type Channels = ChangedRow & {
  workspace_id: string;
  name: string;
  type: 'email' | 'sms' | 'whatsapp' | 'webhook' | 'slack';
  is_active: Generated<boolean>;
  is_verified: Generated<boolean>;
  configuration: Json<Record<string, unknown>>;
  sealed_secrets: JsonDefault<Record<string, string>>;
  rate_limit_per_second: number | null;
  created_by: string | null;
};

export type Reminders = ChangedRow & {
  /** Its id in the workspace file that it was imported from. */
  external_id: string | null;
  workspace_id: string;
  name: string;
  description: string | null;
  status: ReminderStatus | 'deleted';
  /** When its pause ends by itself; null for a pause without an end. */
  paused_until: Instant | null;
  deleted_at: Instant | null;
  deleted_from: ReminderStatus | null;
  /** The rows of its deleted jobs, which only the database reads, to restore them. */
  deleted_jobs: Json<object[]> | null;
  sort_key: Generated<string>;
  status_rank: Generated<number>;
  schedule_config: Json<ScheduleConfig>;
  content: Json<z.output<typeof ReminderContent>>;
  metadata: Json<z.output<typeof ReminderMetadata>>;
  revision: Generated<number>;
  created_by: string | null;
};

export type CalendarFeeds = {
  id: Generated<string>;
  workspace_id: string;
  user_id: string;
  shows: 'workspace' | 'own';
  token_hash: string;
  created_at: Instant;
  last_read_at: Instant | null;
};

export type MonthlyReports = {
  id: Generated<string>;
  workspace_id: string;
  reminder_id: string | null;
  group_id: string | null;
  address: string;
  address_key: string;
  created_by: string;
  created_at: Instant;
  /**
   * First day of the latest month that needs no report any more, such as `2026-02-01`. A new row has the month before the one in which it was
   * made.
   */
  reported_month: ColumnType<string, string, never>;
  next_attempt_at: ColumnType<string | null, never, string | null>;
  refused_at: ColumnType<string | null, never, null>;
  refusal: ColumnType<'declined' | 'unreachable' | null, never, null>;
  refusal_words: ColumnType<string | null, never, null>;
};

export type CalendarSources = {
  id: Generated<string>;
  workspace_id: string;
  reminder_id: string;
  name: string;
  sealed_url: string | null;
  host: string | null;
  file: string | null;
  file_name: string | null;
  offsets: Json<CalendarOffset[]>;
  all_day_time: string;
  version: Generated<number>;
  etag: string | null;
  last_modified: string | null;
  last_read_at: Instant | null;
  last_parsed_at: Instant | null;
  next_read_at: Instant;
  leased_until: Instant | null;
  failure: string | null;
  failures: Generated<number>;
  failing_since: Instant | null;
  owners_notified_at: Instant | null;
  left_out: JsonDefault<LeftOut[]>;
  created_by: string | null;
  created_at: Instant;
};

export type Jobs = ChangedRow & {
  workspace_id: string;
  reminder_id: string | null;
  name: string;
  type: JobType;
  status: Generated<JobStatus>;
  scheduled_for: Instant;
  run_at: Instant;
  expires_at: Instant | null;
  attempts: Generated<number>;
  max_attempts: Generated<number>;
  revision: Generated<number>;
  payload: JsonDefault<Record<string, unknown>>;
  error_message: string | null;
  stop_reason: string | null;
  /** The code of `stop_reason` until the job ends; then of `error_message`, where that says why the job was cancelled or stopped. */
  reason_code: ReasonCode | null;
  claim_id: string | null;
  paused_at: Instant | null;
  /** Computed from the status, like the next column. */
  failed_at: GeneratedAlways<string | null>;
  cancelled_at: GeneratedAlways<string | null>;
  started_at: Instant | null;
  completed_at: Instant | null;
  event_id: string | null;
  archived_at: Instant | null;
  /** The outcome of the run that this row describes, read through `executions`; null when there is none. A trigger clears it. */
  run_outcome: 'accepted' | 'delivered' | 'failed' | 'unknown' | null;
};

/** What a reminder said before an edit, kept if an occurrence was sent with it. */
export type ReminderTexts = {
  workspace_id: string;
  reminder_id: string;
  revision: number;
  content: Json<Omit<z.output<typeof ReminderContent>, 'recipients'>>;
  timezone: string;
};

/** The pending jobs, maintained by triggers. `reminder_id` is set for an occurrence that has not begun. */
export type Queue = {
  job_id: string;
  workspace_id: string;
  run_at: Instant;
  reminder_id: string | null;
  awaits_audience: Generated<boolean>;
};

export type Deliveries = CreatedRow & {
  workspace_id: string;
  job_id: string;
  scheduled_for: Instant;
  channel: ChannelType;
  recipient: string;
  recipient_name: string | null;
  status: DeliveryStatus;
  attempts: Generated<number>;
  unknowns: Generated<number>;
  reason: string | null;
  reason_code: ReasonCode | null;
  reason_params: Json<ReasonParams> | null;
  channel_id: string | null;
  provider: string | null;
  provider_id: string | null;
  provider_answer: string | null;
  content_hash: string | null;
  first_attempt_at: Instant | null;
  last_attempt_at: Instant | null;
  next_attempt_at: Instant | null;
  completed_at: Instant | null;
  answered_at: Instant | null;
  attempt_history: ColumnType<unknown, string | null, string | null>;
  /** The contact's id, for a person of an audience; the contact may be deleted since. */
  contact_id: string | null;
  through: string | null;
  by_preference: Generated<boolean>;
};

export type JobExecutions = {
  id: Generated<string>;
  workspace_id: string;
  job_id: string;
  status: 'pending' | 'running' | 'completed' | 'failed';
  started_at: Instant;
  completed_at: Instant | null;
  duration_ms: number | null;
  error_message: string | null;
  logs: JsonDefault<Record<string, unknown>>;
};

/** A view: the runs of `job_executions` and those on the rows of jobs. `listed_at` orders them. */
export type Executions = ReadOnly<
  Selectable<JobExecutions> & { failed_at: string | null; listed_at: string; is_on_job: boolean }
>;

/** Written by the engine's role, which uses plain SQL. */
export type Subscriptions = {
  id: string;
  workspace_id: string;
  customer_id: string;
  created_at: Instant;
};

export type Suppressions = CreatedRow & {
  workspace_id: string;
  channel: ChannelType;
  recipient: string;
  reason: 'unsubscribed' | 'paused' | 'stopped' | 'bounced' | 'complained' | 'manual' | 'erased';
  covers: Generated<'everything' | 'optional' | 'topic'>;
  topic_id: string | null;
  ends_at: Instant | null;
  created_by: string | null;
};

export type ConsentTexts = CreatedRow & { workspace_id: string; text: string };

/** What somebody wishes of the messages to their address; `hours` are `ReceivingHours`. */
export type Preferences = {
  workspace_id: string;
  address: string;
  hours: unknown;
  created_at: Generated<string>;
  updated_at: Generated<string>;
};

/** What people said about being written to. */
export type Consents = CreatedRow & {
  workspace_id: string;
  channel: ChannelType;
  recipient: string;
  covers: Generated<'everything' | 'optional' | 'topic'>;
  topic_id: string | null;
  kind: ConsentKind;
  method: ConsentMethod;
  precedence: Generated<number>;
  text_id: string | null;
  source: JsonDefault<ConsentSource>;
  said_at: Instant;
  actor_id: string | null;
  /** Filled in by a trigger, like the columns below. */
  actor_kind: ColumnType<'recipient' | 'person' | 'api_key', never, never>;
  actor_name: ColumnType<string | null, never, never>;
  actor_email: ColumnType<string | null, never, never>;
  client_address: ColumnType<string | null, never, never>;
};

export type Erasures = {
  id: string;
  workspace_id: string;
  sealed_people: string | null;
  hashes: string[];
  asked_how: string;
  asked_by: string | null;
  asked_at: string;
  first_pass_at: string | null;
  done_at: string | null;
  counts: JSONColumnType<Record<string, number>, never, never>;
  named_in: JSONColumnType<{ kind: NamingText; id: string }[], never, never>;
  named_more: ColumnType<number, never, never>;
};

export type ErasureSecrets = { workspace_id: string; sealed_secret: string };

export type Topics = ChangedRow & {
  external_id: string | null;
  workspace_id: string;
  name: string;
  kind: 'optional' | 'required';
  why: 'contract' | 'law' | 'safety' | null;
  is_default: boolean;
  archived_at: Instant | null;
};

export type Contacts = ChangedRow & {
  external_id: string | null;
  workspace_id: string;
  name: string | null;
  first_name: string | null;
  last_name: string | null;
  /** The last name as it is sorted, kept by triggers. */
  last_name_key: ColumnType<string | null, never, never>;
  salutation: string | null;
  /** A tag of BCP 47. */
  language: string | null;
  note: string | null;
  preferred_channel: 'email' | 'sms' | 'whatsapp' | null;
  /** The day on which reminders to the person begin again, such as `2026-12-01`. */
  paused_until: string | null;
  /** The address in lower case. */
  email: string | null;
  /** The key by which addresses are compared, from `emailKey`; null where `email` is. */
  email_key: string | null;
  /** The number in E.164. */
  phone: string | null;
  timezone: string | null;
  variables: JsonDefault<Record<string, string>>;
  tags: Generated<string[]>;
  /** The tags' keys, which rules compare. */
  tag_keys: ColumnType<string[], never, never>;
  value_keys: ColumnType<Record<string, string>, never, never>;
  created_by: string | null;
  sort_key: ColumnType<string, never, never>;
  search_text: ColumnType<string, never, never>;
};

/** Who does not get a run that lies ahead. */
export type JobSkips = { workspace_id: string; job_id: string; contact_id: string; created_at: Instant };

/** The tags and the names of values of a workspace's contacts, kept by triggers. */
export type ContactWords = ReadOnly<{
  workspace_id: string;
  kind: 'tag' | 'variable';
  word: string;
  contacts: number;
}>;

export type ContactGroups = ChangedRow & {
  external_id: string | null;
  workspace_id: string;
  name: string;
  rule: Json<GroupRule>;
  created_by: string | null;
  sort_key: ColumnType<string, never, never>;
};

export type MonthlyUsage = { workspace_id: string; month: string; occurrences: Generated<number> };

export type IdempotencyKeys = {
  workspace_id: string | null;
  /** Either the person or the API key that sent the request. */
  user_id: string | null;
  api_key_id: string | null;
  key: string;
  request_hash: string;
  status: number | null;
  answer: string | null;
  created_at: InstantDefault;
};

export type AuditLog = CreatedRow & {
  workspace_id: string | null;
  actor_id: string | null;
  action: string;
  target: string | null;
  details: JsonDefault<ActDetails>;
  /** Filled in by a trigger, like the next column. */
  actor_kind: ColumnType<ActorKind, never, never>;
  actor_name: ColumnType<string | null, never, never>;
  actor_email: ColumnType<string | null, never, never>;
  client_address: ColumnType<string | null, never, never>;
  account_id: ColumnType<string | null, never, never>;
  kind: ColumnType<string, never, never>;
  who_id: ColumnType<string | null, never, never>;
};

export type SandboxMessages = {
  id: Generated<string>;
  workspace_id: string | null;
  channel: ChannelType;
  provider: string | null;
  sender: string;
  recipient: string;
  subject: string;
  body_text: string;
  body_html: string | null;
  body_raw: string | null;
  headers: JsonDefault<Record<string, string>>;
  segments: number | null;
  callback_url: string | null;
  reply_to: string | null;
  report_status: 'sent' | 'delivered' | 'failed' | null;
  report_answer: string | null;
  raw_size: number;
  received_at: InstantDefault;
};

export type SandboxSimulatedFailures = {
  workspace_id: string;
  channel: ChannelType;
  failure: Json<Failure>;
  times: number | null;
};

export type ApiKeys = CreatedRow & {
  workspace_id: string;
  name: string;
  role: 'admin' | 'member';
  scopes: Scope[];
  prefix: string;
  token_hash: string;
  created_by: string | null;
  owned_by: string | null;
  expires_at: Instant | null;
  revoked_at: Instant | null;
  last_used_at: Instant | null;
};

/** How much of a limit is used by one of three: a workspace, a person, or a subject of sign-in. */
export type RequestCounts = {
  workspace_id: string | null;
  user_id: string | null;
  subject: string | null;
  bucket: string;
  used: number;
  expires_at: Instant;
};

export type Events = CreatedRow & {
  workspace_id: string;
  reminder_id: string | null;
  key: string;
  event: string;
  request_hash: string;
  occurred_at: Instant;
  cancelled_at: Instant | null;
  api_key_id: string | null;
  repeated_event_id: string | null;
  hint: string | null;
};

/** The data of an event, stored once for all its jobs. */
export type EventPayloads = { event_id: string; workspace_id: string; payload: Json<Record<string, unknown>> };

/** The provider's id of a message or report that was applied, so that a repeated one is recognised. */
export type ReceivedReports = {
  workspace_id: string;
  channel: ChannelType;
  provider: string;
  name: string;
  kind: 'stopped' | 'resumed' | 'failed';
  sender: string | null;
  sent_at: Instant;
  received_at: Instant;
};

export type ReminderHooks = {
  workspace_id: string;
  reminder_id: string;
  generation: Generated<number>;
  sealed_secret: string | null;
  calls: Generated<number>;
  updated_at: InstantDefault;
};

export type HookCalls = {
  workspace_id: string;
  reminder_id: string;
  slot: number;
  received_at: Instant;
  status: number;
  problem: string | null;
  event_id: string | null;
};

export type SigningSecrets = {
  workspace_id: string;
  sealed_secret: string;
  sealed_previous: string | null;
  previous_ends_at: Instant | null;
  changed_at: InstantDefault;
};

export type Webhooks = {
  id: Generated<string>;
  workspace_id: string;
  url: string;
  activity_types: string[];
  is_active: Generated<boolean>;
  disabled_at: Instant | null;
  owners_notified_at: Instant | null;
  failing_since: Instant | null;
  failures: Generated<number>;
  backoff_until: Instant | null;
  last_outcome: 'accepted' | 'failed' | 'unknown' | null;
  last_answer: string | null;
  last_answered_at: Instant | null;
  dropped: Generated<number>;
  dropped_at: Instant | null;
  created_by: string | null;
  created_at: Instant;
  updated_at: Instant;
};

/** An activity of a webhook: it waits to be sent, and then stays as the log. */
export type WebhookActivities = {
  id: Generated<string>;
  workspace_id: string;
  webhook_id: string;
  type: string;
  body: string;
  occurred_at: Instant;
  status: Generated<'waiting' | 'accepted' | 'failed' | 'unknown' | 'dropped'>;
  attempts: Generated<number>;
  unknowns: Generated<number>;
  next_attempt_at: Instant | null;
  expires_at: Instant;
  answer: string | null;
  last_attempt_at: Instant | null;
  completed_at: Instant | null;
  hops: Generated<number>;
};

export type PushBrowsers = CreatedRow & {
  workspace_id: string;
  user_id: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  user_agent: string | null;
  last_used_at: string | null;
  session_id: string | null;
};

export type TemplateCategories = ChangedRow & {
  external_id: string | null;
  workspace_id: string;
  name: string;
  description: string;
  color: CategoryColor;
};

export type Templates = ChangedRow & {
  external_id: string | null;
  workspace_id: string;
  name: string;
  description: string;
  category_id: string | null;
  is_public: boolean;
  content: Json<TemplateContent>;
  variables: Json<TemplateVariables>;
  usage_count: Generated<number>;
  version: Generated<number>;
  created_by: string | null;
};

export type TemplateVersions = CreatedRow & {
  workspace_id: string;
  template_id: string;
  version: number;
  name: string;
  description: string;
  content: Json<TemplateContent>;
  variables: Json<TemplateVariables>;
  restored_from: number | null;
  created_by: string | null;
};

export type Schema = {
  profiles: Profiles;
  pictures: Pictures;
  workspaces: Workspaces;
  workspace_members: WorkspaceMembers;
  workspace_invitations: WorkspaceInvitations;
  channels: Channels;
  reminders: Reminders;
  jobs: Jobs;
  queue: Queue;
  deliveries: Deliveries;
  job_executions: JobExecutions;
  executions: Executions;
  subscriptions: Subscriptions;
  suppressions: Suppressions;
  consent_texts: ConsentTexts;
  consents: Consents;
  preferences: Preferences;
  topics: Topics;
  erasures: Erasures;
  erasure_secrets: ErasureSecrets;
  contacts: Contacts;
  job_skips: JobSkips;
  contact_groups: ContactGroups;
  contact_words: ContactWords;
  monthly_usage: MonthlyUsage;
  idempotency_keys: IdempotencyKeys;
  audit_log: AuditLog;
  sandbox_messages: SandboxMessages;
  sandbox_simulated_failures: SandboxSimulatedFailures;
  push_browsers: PushBrowsers;
  api_keys: ApiKeys;
  calendar_feeds: CalendarFeeds;
  calendar_sources: CalendarSources;
  monthly_reports: MonthlyReports;
  request_counts: RequestCounts;
  events: Events;
  event_payloads: EventPayloads;
  received_reports: ReceivedReports;
  reminder_hooks: ReminderHooks;
  hook_calls: HookCalls;
  signing_secrets: SigningSecrets;
  webhooks: Webhooks;
  webhook_activities: WebhookActivities;
  reminder_texts: ReminderTexts;
  template_categories: TemplateCategories;
  templates: Templates;
  template_versions: TemplateVersions;
};
