import { z } from 'zod';
import { channelTypes } from '#contract/channel-types.ts';
import { MessageFormat } from '#contract/message-format.ts';
import { priorities } from '#contract/reminders.ts';

/** How many requests of Cuebird led to the job. */
const Hops = z.number().int().default(0);

/** The payload of test sends and API sends, which have no reminder that stores it. */
export const SendPayload = z.object({
  channels: z.array(z.enum(channelTypes)).default(['email']),
  recipients: z.array(z.string()),
  /** The user whose browsers receive the push of a test; no other user receives it. */
  push_to: z.string().optional(),
  pinned: z.partialRecord(z.enum(channelTypes), z.string()).default({}),
  content: z.object({
    subject: z.string(),
    message: z.string(),
    format: MessageFormat.optional(),
    topic_id: z.string().optional(),
  }),
  values: z.record(z.string(), z.string()).default({}),
  /** The variables of a test event. */
  data: z.record(z.string(), z.string()).default({}),
  timezone: z.string().default('UTC'),
  priority: z.enum(priorities).default('medium'),
  /** The API key that asked for the job. */
  api_key_id: z.string().optional(),
  hops: Hops,
});

/** The payload of an event's job: the event's data, and its recipients when it names them. */
export const EventPayload = z.object({
  data: z.record(z.string(), z.string()).default({}),
  recipients: z.array(z.string()).optional(),
  hops: Hops,
});
