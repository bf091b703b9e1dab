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

/** The earlier texts of the reminder that were sent, newest first. */
export const findEarlierTexts = (db: Db, { workspaceId, reminderId }: Of): Promise<ReminderText[]> =>
  db
    .selectFrom('reminder_texts')
    .where('workspace_id', '=', workspaceId)
    .where('reminder_id', '=', reminderId)
    .select(['revision', 'content', 'timezone'])
    .orderBy('revision', 'desc')
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
