import { sql } from 'kysely';
import type { ChannelType } from '#contract/channel-types.ts';
import type { ReasonCode } from '#contract/reason-codes.ts';
import type { Db } from '#platform/database.ts';
import { insertJobs } from '#platform/new-jobs.ts';

/** Rows of the past. Instants are ISO text. */
export type PastJob = {
  id: string;
  reminder_id: string;
  name: string;
  type: 'reminder' | 'event_reminder';
  status: 'completed' | 'failed' | 'cancelled';
  scheduled_for: string;
  attempts: number;
  max_attempts: number;
  payload: Record<string, unknown>;
  error_message: string | null;
  reason_code: ReasonCode | null;
  started_at: string;
  completed_at: string;
  created_at: string;
};

export type PastExecution = {
  id: string;
  job_id: string;
  status: 'completed' | 'failed';
  started_at: string;
  completed_at: string;
  duration_ms: number;
  error_message: string | null;
  logs: Record<string, unknown>;
};

export type PastDelivery = {
  id: string;
  job_id: string;
  scheduled_for: string;
  channel: ChannelType;
  recipient: string;
  recipient_name: string | null;
  status: 'accepted' | 'delivered' | 'failed' | 'skipped';
  attempts: number;
  reason: string | null;
  reason_code: ReasonCode | null;
  provider: string | null;
  provider_answer: string | null;
  first_attempt_at: string | null;
  last_attempt_at: string | null;
  completed_at: string;
  attempt_history: readonly unknown[] | null;
  contact_id: string | null;
  /** Not stored: when each attempt began and was answered, and why it failed. */
  spans: readonly { beganMs: number; answeredMs: number; reason?: string }[];
  ended_ms: number;
};

export type PastSuppression = {
  recipient: string;
  reason: 'bounced' | 'unsubscribed';
  covers: 'everything' | 'topic';
  topic_id: string | null;
  created_at: string;
};

type Of<Row> = { workspaceId: string; rows: readonly Row[] };

export const insertPastJobs = (db: Db, { workspaceId, rows }: Of<PastJob>) =>
  insertJobs(
    db,
    rows.map((row) => ({
      ...row,
      workspace_id: workspaceId,
      payload: JSON.stringify(row.payload),
      updated_at: row.completed_at,
    })),
  );

export const insertPastExecutions = (db: Db, { workspaceId, rows }: Of<PastExecution>) =>
  sql`
    insert into job_executions (id, workspace_id, job_id, status, started_at, completed_at, duration_ms, error_message, logs)
    select id, ${workspaceId}, job_id, status, started_at, completed_at, duration_ms, error_message, logs
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (id uuid, job_id uuid, status text, started_at timestamptz, completed_at timestamptz, duration_ms int, error_message text,
              logs jsonb)`.execute(db);

export const insertPastDeliveries = (db: Db, { workspaceId, rows }: Of<PastDelivery>) =>
  sql`
    insert into deliveries (id, workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, attempts, reason, reason_code, provider,
                            provider_id, provider_answer, first_attempt_at, last_attempt_at, completed_at, created_at, attempt_history, contact_id)
    select id, ${workspaceId}, job_id, scheduled_for, channel, recipient, recipient_name, status, attempts, reason, reason_code, provider,
           case when status in ('accepted', 'delivered') then id::text end, provider_answer, first_attempt_at, last_attempt_at, completed_at,
           coalesce(first_attempt_at, completed_at), attempt_history, contact_id
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (id uuid, job_id uuid, scheduled_for timestamptz, channel text, recipient text, recipient_name text, status text, attempts int,
              reason text, reason_code text, provider text, provider_answer text, first_attempt_at timestamptz, last_attempt_at timestamptz,
              completed_at timestamptz, attempt_history jsonb, contact_id uuid)`.execute(db);

/** Marks the channels as verified, as after tests while setting them up. */
export const verifyChannels = (db: Db, { workspaceId }: { workspaceId: string }) =>
  db.updateTable('channels').set({ is_verified: true }).where('workspace_id', '=', workspaceId).execute();
