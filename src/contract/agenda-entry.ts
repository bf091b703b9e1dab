import { z } from 'zod';
import { channelTypes } from '#contract/channel-types.ts';
import { Id, InstantText } from '#contract/common.ts';
import { jobTypes } from '#contract/job-types.ts';

/**
 * `scheduled` has not begun, also where it is due and waits for its turn; `paused` waits until a person resumes it; `waiting` has begun and waits for another
 * attempt; `running` is being sent.
 */
const agendaStates = ['scheduled', 'paused', 'waiting', 'running'] as const;

/** One occurrence that lies ahead, or that has begun and not ended. */
export const AgendaEntry = z.object({
  /** The reminder of what a schedule plans; the job of what an event or the API has planned, and of what has begun. */
  id: Id,
  /** When it is sent: as soon as the sending hours are open, where it is due outside of them; the next attempt of what has begun. */
  at: InstantText,
  due_at: InstantText,
  name: z.string(),
  type: z.enum(jobTypes),
  reminder_id: Id.nullable(),
  /** Its job; null while it is only planned. */
  job_id: Id.nullable(),
  /** The schedule's timezone; null without a reminder. */
  timezone: z.string().nullable(),
  channels: z.array(z.enum(channelTypes)),
  /** The recipients that are listed, or that the event names, and the destinations of Slack and push. */
  recipients: z.number().int(),
  /** The people of its audience now: who belongs to it is asked when it is sent. Null where they were not counted. */
  people: z.number().int().nullable(),
  state: z.enum(agendaStates),
  /** How many of its messages wait for another attempt, or for the hours of their recipients; null before it has begun, and while it runs. */
  waiting: z.number().int().nullable(),
  /** Why the contact that the filter names does not get it: somebody has skipped it for them, or reminders to them are paused; null otherwise. */
  exclusion: z.enum(['skipped', 'paused']).nullable(),
});
export type AgendaEntry = z.output<typeof AgendaEntry>;
