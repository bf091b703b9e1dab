import { EventPayload, SendPayload } from '#contract/job-payloads.ts';
import type { Job } from '#contract/jobs.ts';
import type { MessageFormat } from '#contract/message-format.ts';
import { addressedByEvent } from '#domain/event-recipients.ts';
import { occasionOf } from '#domain/may-be-sent.ts';
import type { Addressed, ReachText } from '#features/reach/reach.service.ts';
import { findComparedTexts, findReminderNow } from '#features/jobs/texts.db.ts';
import type { TenantContext } from '#platform/context.ts';

/** The text of a job before it is rendered for a recipient. */
export type JobText = ReachText & { format: MessageFormat; data: Readonly<Record<string, string>> };

type Found = {
  texts: [JobText, ...JobText[]];
  addressed: Addressed;
  /** False for a test, a requested link, a message of the API, and one that was written by hand to one person. */
  isReminder: boolean;
  /** Whether the first text is of the job's own revision. */
  isOwnKept: boolean;
};

/** The texts that a job may have had: that of its own revision first, then earlier ones of its reminder. A reason when none is stored. */
export async function textsOf(
  { db, workspaceId }: TenantContext,
  job: Job & { revision: number },
): Promise<Found | { reason: string }> {
  switch (job.type) {
    case 'test_reminder':
    case 'preferences_link':
    case 'api_notification': {
      const payload = SendPayload.safeParse(job.payload).data;
      if (payload === undefined) return unreadable;
      return {
        texts: [{ ...payload.content, format: payload.content.format ?? 'plain', ...payload }],
        addressed: {
          ...payload,
          audience: null,
          isInOrder: false,
          topicId: payload.content.topic_id ?? null,
          occasion: occasionOf(job.type),
        },
        isOwnKept: true,
        isReminder: false,
      };
    }
    case 'reminder':
    case 'event_reminder': {
      const event = EventPayload.safeParse(job.type === 'reminder' ? {} : job.payload).data;
      if (event === undefined) return unreadable;
      if (job.reminder_id === null) return { reason: 'The reminder was deleted, and its text with it' };
      const of = { workspaceId, reminderId: job.reminder_id };
      const reminder = await findReminderNow(db, of);
      if (reminder === undefined) return { reason: 'The reminder was deleted, and its text with it' };
      const { content, metadata, schedule_config: schedule, revision } = reminder;
      const now = { revision, content, timezone: schedule.timezone };
      const [own, ...others] = [now, ...(await findComparedTexts(db, { ...of, revision: job.revision }))].toSorted(
        (a, b) => Number(b.revision === job.revision) - Number(a.revision === job.revision),
      );
      const textOf = ({ content: written, timezone }: Omit<typeof now, 'content'> & Written): JobText => ({
        subject: written.subject,
        message: written.message,
        format: written.format ?? 'plain',
        values: written.values ?? {},
        data: event.data,
        timezone,
      });
      return {
        texts: [textOf(own ?? now), ...others.map(textOf)],
        isOwnKept: own?.revision === job.revision,
        isReminder: metadata.one_off !== true,
        addressed: {
          ...addressedByEvent({ content, metadata }, event),
          channels: metadata.channels,
          isInOrder: metadata.channel_mode === 'in_order',
          pinned: metadata.pinned_channels ?? {},
          topicId: content.topic_id ?? null,
          occasion: 'reminder',
        },
      };
    }
    default:
      return job.type satisfies never;
  }
}

type Written = {
  content: {
    subject: string;
    message: string;
    format?: MessageFormat | undefined;
    values?: Record<string, string> | undefined;
  };
};

export const noLongerKept = 'The text of that time is no longer kept';

const unreadable = { reason: 'The message of this job cannot be read' };
