import type { ReceivingHours } from '#contract/receiving-hours.ts';
import type { GroupRule } from '#contract/contact-groups.ts';
import type { Coverage, SuppressionReason } from '#contract/suppressions.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { ReminderInput } from '#contract/reminders.ts';
import type { Word } from '#domain/newest-consent.ts';
import type { JobAction } from '#domain/job-state.ts';
import type { ContactRow, JobRow } from '#simulation/tables.ts';

/** `seconds`: for how long a pause lasts; null for what does not end. */
type Covered = { covers: Coverage; topicId: string | null; seconds: number | null };

/** Of entries that do not end, those of numbers and addresses of an even length were made by their recipient. */
export const reasonOf = ({ seconds, recipient }: { seconds: number | null; recipient: string }): SuppressionReason =>
  seconds !== null ? 'paused' : recipient.length % 2 === 0 ? 'unsubscribed' : 'manual';

/** What users do while the engine works. */
export type Act =
  | { kind: 'write'; workspaceId: string; input: ReminderInput }
  | { kind: 'edit'; workspaceId: string; reminderId: string; input: ReminderInput }
  | { kind: 'switch'; workspaceId: string; reminderId: string; to: 'active' | 'paused' }
  | { kind: 'delete'; workspaceId: string; reminderId: string }
  | { kind: 'restore'; workspaceId: string; reminderId: string }
  | { kind: 'test'; workspaceId: string; reminderId: string; recipients: string[] }
  | { kind: 'job'; workspaceId: string; jobId: string; action: JobAction }
  | ({ kind: 'suppress'; workspaceId: string; channel: ChannelType; recipient: string } & Covered)
  | ({ kind: 'unsuppress'; workspaceId: string; channel: ChannelType; recipient: string } & Covered)
  /** Somebody says something about being written to, or it becomes known what they have said. */
  | { kind: 'consent'; workspaceId: string; channel: ChannelType; recipient: string; word: Word }
  /** In which hours messages to an address come; null for any. */
  | { kind: 'wish'; workspaceId: string; address: string; hours: ReceivingHours | null }
  /** Makes a topic optional. */
  | { kind: 'topic'; workspaceId: string; topicId: string }
  | { kind: 'channel'; workspaceId: string; channelId: string; isActive: boolean }
  | {
      kind: 'contact';
      workspaceId: string;
      contactId: string;
      /** Null deletes it. */
      contact: Omit<ContactRow, 'id' | 'workspace_id'> | null;
    }
  | { kind: 'group'; workspaceId: string; groupId: string; name: string; rule: GroupRule | null }
  | { kind: 'prefer'; workspaceId: string; miss: boolean }
  /** A provider reports that a message that it has accepted, or may have, has failed. Each report has an id of its own. */
  | {
      kind: 'report';
      workspaceId: string;
      jobId: string;
      deliveryId: string;
      channel: ChannelType;
      recipient: string;
      reportId: string;
    }
  /** Pauses all reminders for so long; 0 ends the pause. */
  | { kind: 'pauseAll'; workspaceId: string; seconds: number }
  /** Deletes the workspace, or restores it. */
  | { kind: 'deleteWorkspace'; workspaceId: string; isDeleted: boolean };

export type JobView = Pick<
  JobRow,
  'id' | 'reminder_id' | 'type' | 'status' | 'scheduled_for' | 'attempts' | 'stop_reason' | 'expires_at'
>;

/** The words of a report. */
export const undelivered = 'Reported as undelivered';

/** `id` is what was created, or what a report has changed. The jobs are the workspace's, before and after, as the act's own transaction saw them. */
export type Done = {
  answer: { kind: 'done'; id: string | null } | { kind: 'refused'; code: string };
  before: JobView[];
  after: JobView[];
};

export type People = { act(act: Act, now: Temporal.Instant): Promise<Done> };

export const viewOf = ({
  id,
  reminder_id,
  type,
  status,
  scheduled_for,
  attempts,
  stop_reason,
  expires_at,
}: JobView): JobView => ({
  id,
  reminder_id,
  type,
  status,
  scheduled_for,
  attempts,
  stop_reason,
  expires_at,
});
