import { z } from 'zod';
import { channelTypes } from '#contract/reminders.ts';

/** What test sends and API sends carry in their job, because no reminder holds it. */
export const SendPayload = z.object({
  channels: z.array(z.enum(channelTypes)).default(['email']),
  recipients: z.array(z.string()),
  pinned: z.partialRecord(z.enum(channelTypes), z.string()).default({}),
  content: z.object({ subject: z.string(), message: z.string() }),
  values: z.record(z.string(), z.string()).default({}),
  timezone: z.string().default('UTC'),
});

/** An event's job carries the event's own data, and recipients when the event names them. */
export const EventPayload = z.object({
  data: z.record(z.string(), z.string()).default({}),
  recipients: z.array(z.string()).optional(),
});
