import type { JobType } from '#contract/job-types.ts';
import type { ReminderContent, ReminderMetadata, ReminderStatus } from '#contract/reminders.ts';
import type { ScheduleConfig } from '#contract/schedules.ts';
import type { ReasonCode } from '#contract/reason-codes.ts';
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
  /** When it came due, where that is not its scheduled time because it was resumed later or waited for a retry. */
  due_at: string | null;
  /** When it was first claimed; null if this claim is the first. */
  begun_at: string | null;
  /** Why a person or an edit stopped the job during an earlier run. */
  stop_reason: string | null;
  /** The code of `stop_reason`. */
  reason_code: ReasonCode | null;
  /** The event that created the job; `payload` then holds the event's data. */
  event_id: string | null;
  payload: Record<string, unknown>;
  reminder_status: ReminderStatus | null;
  reminder_revision: number | null;
  schedule_config: ScheduleConfig | null;
  content: z.output<typeof ReminderContent> | null;
  metadata: z.output<typeof ReminderMetadata> | null;
};

/** True when the ledger has no row of this job yet. A manual retry sets its own expiry and resets the attempts. */
export const isFirstClaim = (job: ClaimedJob) => job.attempts === 1 && job.expires_at === null;

/** A job of a claim, as the store's operations on one job take it. */
export type OwnedJob = { id: string; workspaceId: string; scheduledFor: string; claimId: string };
