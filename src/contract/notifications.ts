import { z } from 'zod';
import { Id, ifMissing, RequiredName, Text } from '#contract/common.ts';
import { limits, priorities, Recipient } from '#contract/reminders.ts';
import { post } from '#contract/route.ts';
import { cronIsFollowed, ScheduleConfig, scheduleTypes } from '#contract/schedules.ts';
import { templateLimits } from '#contract/templates.ts';

/** A value of a variable; numbers and booleans become text. */
const VariableValue = z
  .union(
    [Text(templateLimits.value), z.number(), z.boolean()],
    `must be a text of at most ${templateLimits.value} characters, a number, true or false`,
  )
  .transform(String);

const maxVariables = 200;

/** The template of the message, its topic and values, and the channel that sends it. */
const Message = {
  template_id: Id,
  topic_id: Id.optional().meta({ description: 'What the message is about; without it, the topic of the template' }),
  channel_id: Id.optional().meta({
    description:
      "A channel of the template's type; without it the workspace's channel of this type sends, else the installation's",
  }),
  priority: z.enum(priorities).default('medium').meta({
    description: "A message of high priority is sent however many messages the workspace's frequency cap allows",
  }),
  variables: z
    .record(Text(templateLimits.variableName), VariableValue)
    .refine((values) => Object.keys(values).length <= maxVariables, `must be at most ${maxVariables} values`)
    .default({})
    .meta({ description: "The values of the template's variables, by their names" }),
};

/** The schedule of a reminder. One that waits for an event has no time, and is made by `POST /api/reminders`. */
const JobSchedule = ScheduleConfig.omit({ eventTrigger: true, delayAmount: true, delayUnit: true })
  .extend({ type: z.literal('scheduled'), scheduleType: z.enum(scheduleTypes) })
  .superRefine(cronIsFollowed)
  .meta({
    description: 'As in `schedule_config` of a reminder; a time without an offset is a wall time in `timezone`',
  });

export const NotificationInput = z.strictObject({
  ...Message,
  recipient: Recipient.optional().meta({
    description:
      'An address, phone number or URL, or `Name <address>`; left out for a push template, which goes to the browsers of all members',
  }),
});
export type NotificationInput = z.output<typeof NotificationInput>;

export const JobInput = z.strictObject({
  name: RequiredName(limits.name, { missing: 'Name required' }),
  ...Message,
  schedule: JobSchedule,
  recipients: z
    .array(Recipient, ifMissing('At least one recipient is required'))
    .max(limits.recipients)
    .default([])
    .meta({ description: 'Addresses, phone numbers or URLs, or `Name <address>`; empty for a push template' }),
});
export type JobInput = z.output<typeof JobInput>;

export const notificationRoutes = {
  sendNotification: post('/api/notifications/send', {
    access: 'member',
    scope: ['send'],
    summary: 'Send a message made from a template now; GET /api/jobs/{id}?wait=30 tells what became of it',
    body: NotificationInput,
    limit: { usage: 'sends' },
    answer: z.object({ job_id: Id }),
    status: 202,
  }),
  createJob: post('/api/jobs', {
    access: 'member',
    scope: ['send'],
    summary: 'Send a message made from a template at a time, or again and again by a reminder',
    body: JobInput,
    limit: { usage: 'sends' },
    answer: z.object({
      /** The job of the message; with a schedule that repeats, the reminder's first one. */
      job_id: Id,
      /** The reminder that is created when the schedule repeats. */
      reminder_id: Id.optional(),
    }),
    status: 201,
  }),
};
