import type { z } from 'zod';
import { EventPayload, SendPayload } from '#contract/job-payloads.ts';
import { addressedByEvent, isForNobody, namesNobody } from '#domain/event-recipients.ts';
import type { ClaimedJob, Work } from '#engine/run.ts';

/** A scheduled occurrence has no event data. */
const noEvent: { data: z.output<typeof EventPayload> } = { data: { data: {} } };

/** Returns what the job sends, or the reason why nothing may be sent. */
export function workOf(job: ClaimedJob): Work | { refusal: string } {
  switch (job.type) {
    case 'test_reminder':
    case 'api_notification': {
      const { data: payload } = SendPayload.safeParse(job.payload);
      if (payload === undefined) return unreadable;
      const { content, push_to: pushTo = null, ...rest } = payload;
      return {
        ...content,
        format: content.format ?? 'plain',
        ...rest,
        audience: null,
        pushTo,
        mode: 'every',
        isTest: job.type === 'test_reminder',
      };
    }
    case 'reminder':
    case 'event_reminder': {
      if (job.content === null || job.metadata === null || job.schedule_config === null)
        return { refusal: 'The reminder was deleted' };
      if (job.reminder_status !== 'active') return { refusal: `The reminder is ${job.reminder_status}` };
      if (job.reminder_revision !== job.revision) return { refusal: 'The reminder was edited after this run began' };
      const { data: event } = job.type === 'reminder' ? noEvent : EventPayload.safeParse(job.payload);
      if (event === undefined) return unreadable;
      const addressed = addressedByEvent({ content: job.content, metadata: job.metadata }, event);
      if (isForNobody(addressed, job.metadata)) return { refusal: namesNobody };
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
        isTest: false,
      };
    }
    default:
      return job.type satisfies never;
  }
}

/** One job that cannot be read must not stop the claim, which takes many at once. */
const unreadable = { refusal: 'The message of this job cannot be read' };
