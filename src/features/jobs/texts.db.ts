import type { ChannelType } from '#contract/channel-types.ts';
import type { ReminderContent } from '#contract/reminders.ts';
import type { Db } from '#platform/database.ts';
import type { z } from 'zod';

/** The text of a reminder at one of its revisions. `timezone` is an IANA name. */
export type ReminderText = {
  revision: number;
  content: Omit<z.output<typeof ReminderContent>, 'recipients'>;
  timezone: string;
};

type Of = { workspaceId: string; reminderId: string };

export const findReminderNow = (db: Db, { workspaceId, reminderId }: Of) =>
  db
    .selectFrom('reminders')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', reminderId)
    .select(['revision', 'content', 'metadata', 'schedule_config'])
    .executeTakeFirst();

/** As many earlier texts are compared with what was sent; a reminder may have hundreds of 100,000 characters. */
const textsCompared = 6;

/** Earlier texts of the reminder that were sent: that of this revision first, then the newest. */
export const findComparedTexts = (
  db: Db,
  { workspaceId, reminderId, revision }: Of & { revision: number },
): Promise<ReminderText[]> =>
  db
    .selectFrom('reminder_texts')
    .where('workspace_id', '=', workspaceId)
    .where('reminder_id', '=', reminderId)
    .select(['revision', 'content', 'timezone'])
    .orderBy((eb) => eb('revision', '=', revision), 'desc')
    .orderBy('revision', 'desc')
    .limit(textsCompared)
    .execute();

/** The delivery of one recipient. */
export const findDelivery = (
  db: Db,
  of: { workspaceId: string; jobId: string; scheduledFor: string; channel: ChannelType; recipient: string },
) =>
  db
    .selectFrom('deliveries')
    .where('workspace_id', '=', of.workspaceId)
    .where('job_id', '=', of.jobId)
    .where('scheduled_for', '=', of.scheduledFor)
    .where('channel', '=', of.channel)
    .where('recipient', '=', of.recipient)
    .select(['id', 'recipient_name', 'attempts', 'channel_id', 'last_attempt_at', 'content_hash', 'status'])
    .executeTakeFirst();
