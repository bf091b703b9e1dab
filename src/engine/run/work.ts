import type { z } from 'zod';
import type { Audience } from '#contract/audience.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { EventPayload, SendPayload } from '#contract/job-payloads.ts';
import type { MessageFormat } from '#contract/message-format.ts';
import type { channelModes } from '#contract/reminders.ts';
import { addressedByEvent, isForNobody } from '#domain/event-recipients.ts';
import {
  editedAfterBegin,
  eventNamesNobody,
  messageIsUnreadable,
  type Reason,
  reminderIs,
  reminderWasDeleted,
} from '#domain/ledger-reasons.ts';
import { type Occasion, occasionOf } from '#domain/may-be-sent.ts';
import type { ClaimedJob } from '#engine/run/claimed-job.ts';

/** What a claimed job sends, whatever created it. */
export type Work = {
  subject: string;
  message: string;
  format: MessageFormat;
  recipients: readonly string[];
  /** Those of them that are addresses of one person, whom an event names. */
  named: readonly string[];
  /** The contacts to whom it is sent besides the recipients; null when there are none. */
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
  occasion: Occasion;
  /** Whether it goes out however much its recipients have had. */
  isUrgent: boolean;
  /** What the message is about; null for no topic. */
  topicId: string | null;
  /** How many requests of Cuebird led to it. */
  hops: number;
};

/** The work of a job that sends nothing. */
export const noWork: Work = {
  subject: '',
  message: '',
  format: 'plain',
  recipients: [],
  named: [],
  audience: null,
  channels: [],
  mode: 'every',
  pinned: {},
  pushTo: null,
  values: {},
  data: {},
  timezone: 'UTC',
  occasion: 'reminder',
  isUrgent: false,
  topicId: null,
  hops: 0,
};

/** A scheduled occurrence has no event data. */
const noEvent: { data: z.output<typeof EventPayload> } = { data: { data: {}, hops: 0 } };

/** Returns what the job sends, or the reason why nothing may be sent. */
export function workOf(job: ClaimedJob): Work | { refusal: Reason } {
  switch (job.type) {
    case 'test_reminder':
    case 'preferences_link':
    case 'api_notification': {
      const { data: payload } = SendPayload.safeParse(job.payload);
      if (payload === undefined) return unreadable;
      const { content, push_to: pushTo = null, ...rest } = payload;
      return {
        ...content,
        format: content.format ?? 'plain',
        ...rest,
        named: [],
        audience: null,
        pushTo,
        mode: 'every',
        occasion: occasionOf(job.type),
        isUrgent: payload.priority === 'high',
        topicId: content.topic_id ?? null,
      };
    }
    case 'reminder':
    case 'event_reminder': {
      if (job.content === null || job.metadata === null || job.schedule_config === null)
        return { refusal: reminderWasDeleted };
      if (job.reminder_status !== 'active') return { refusal: reminderIs(String(job.reminder_status)) };
      if (job.reminder_revision !== job.revision) return { refusal: editedAfterBegin };
      const { data: event } = job.type === 'reminder' ? noEvent : EventPayload.safeParse(job.payload);
      if (event === undefined) return unreadable;
      const addressed = addressedByEvent({ content: job.content, metadata: job.metadata }, event);
      if (isForNobody(addressed, job.metadata)) return { refusal: eventNamesNobody };
      return {
        ...addressed,
        subject: job.content.subject,
        message: job.content.message,
        format: job.content.format ?? 'plain',
        channels: job.metadata.channels,
        mode: job.metadata.channel_mode ?? 'every',
        pinned: job.metadata.pinned_channels ?? {},
        pushTo: null,
        values: job.content.values ?? {},
        data: event.data,
        timezone: job.schedule_config.timezone,
        occasion: 'reminder',
        isUrgent: job.metadata.priority === 'high',
        topicId: job.content.topic_id ?? null,
        hops: event.hops,
      };
    }
    default:
      return job.type satisfies never;
  }
}

/** One job that cannot be read must not stop the claim, which takes many at once. */
const unreadable = { refusal: messageIsUnreadable };
