import { z } from 'zod';
import { Id, RequiredText, Text } from '#contract/common.ts';
import { MessageFormat } from '#contract/message-format.ts';
import { limits, Recipient } from '#contract/reminders.ts';
import { post } from '#contract/route.ts';
import { TimeZone } from '#contract/schedules.ts';

const maxValues = 500;

export const testRecipientRequired = { path: ['recipients'], error: 'Please add at least one test recipient' };

/** A test goes only to the recipients in the request. */
export const TestBody = z
  .strictObject({
    recipients: z.array(Recipient).max(100).default([]),
    /** Also posts to the reminder's Slack channel. */
    slack: z.boolean().default(false),
    /** Also pushes to the caller's own browsers. */
    push: z.boolean().default(false),
    subject: RequiredText(limits.subject, { missing: 'Please provide both subject and message' }),
    message: RequiredText(limits.message, { missing: 'Please provide both subject and message' }),
    /** The contact whose values fill in the message. */
    values_of: Id.optional(),
    /** For a reminder that waits for an event: the data that the event would bring. */
    data: z.record(z.string(), z.unknown()).optional(),
  })
  .refine((test) => recipientsOfTest(test) > 0, testRecipientRequired);

/** The number of recipients of a test; Slack and the caller's browsers count as one each. */
export const recipientsOfTest = (test: { recipients: readonly string[]; slack: boolean; push: boolean }): number =>
  test.recipients.length + Number(test.slack) + Number(test.push);

/** A message as it is in the form, perhaps unsaved, to be sent as a test to the caller. */
export const OwnTestBody = z.strictObject({
  channel: z.enum(['email', 'push']),
  subject: Text(limits.subject).default(''),
  message: RequiredText(limits.message, { missing: 'Message is required' }),
  format: MessageFormat.default('plain'),
  /** The values of the message's variables. */
  values: z
    .record(Text(100), Text(2000))
    .refine((values) => Object.keys(values).length <= maxValues, `must be at most ${maxValues} values`)
    .default({}),
  timezone: TimeZone.default('UTC'),
});

export const reminderTestRoutes = {
  sendToMyself: post('/api/previews/send', {
    access: 'member',
    callers: 'people',
    summary: 'Send a message as a test to your own address or browsers',
    body: OwnTestBody,
    limit: { usage: 'tests' },
    answer: z.object({ job_id: Id }),
    status: 201,
  }),
  testReminder: post('/api/reminders/:id/test', {
    access: 'member',
    beginsMessages: true,
    summary: 'Send a test of this reminder now, only to the recipients of the test',
    body: TestBody,
    limit: { usage: 'tests', cost: (body) => recipientsOfTest(TestBody.parse(body)) },
    answer: z.object({ job_id: Id }),
    status: 201,
  }),
};
