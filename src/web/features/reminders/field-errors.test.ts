import { expect, it } from 'vitest';
import { ReminderInput } from '#contract/reminders.ts';
import { TestBody } from '#contract/reminder-tests.ts';
import { inputOf, newDraft } from './form/draft.ts';
import { fieldErrors } from '#web/ui/field-errors.ts';

it('an empty reminder is refused with an error for each field', () => {
  const draft = newDraft({ now: new Date('2026-11-20T10:00:00Z'), zone: 'Europe/Berlin' });
  const refused = ReminderInput.safeParse(inputOf({ ...draft, metadata: { ...draft.metadata, channels: [] } }));
  expect(fieldErrors(refused.error?.issues ?? [])).toEqual({
    name: 'Title is required',
    'metadata.channels': 'At least one channel is required',
    'content.recipients': 'At least one recipient is required',
    'content.subject': 'Subject is required',
    'content.message': 'Message is required',
  });
});

it('a title or a description that is too long has an error', () => {
  const draft = newDraft({ now: new Date('2026-11-20T10:00:00Z'), zone: 'UTC' });
  const refused = ReminderInput.safeParse(
    inputOf({
      ...draft,
      name: 'x'.repeat(101),
      description: 'x'.repeat(501),
      schedule_config: { ...draft.schedule_config, type: 'event-based', delayAmount: -1 },
    }),
  );
  expect(fieldErrors(refused.error?.issues ?? [])).toMatchObject({
    name: 'Title must be less than 100 characters',
    description: 'Description must be less than 500 characters',
    'schedule_config.delayAmount': 'Delay must be at least 0',
  });
});

it('a test without subject or message is refused with one error', () => {
  const refused = TestBody.safeParse({ recipients: [], subject: ' ', message: 'Hello' });
  expect(fieldErrors(refused.error?.issues ?? [])).toEqual({
    recipients: 'Please add at least one test recipient',
    subject: 'Please provide both subject and message',
  });
});

it("the server's error about one recipient is shown at the recipients field", () => {
  expect(
    fieldErrors([
      { path: 'content.recipients.3', message: 'is not allowed' },
      { path: 'content.recipients.7', message: 'is too long' },
    ]),
  ).toEqual({ 'content.recipients': 'is not allowed' });
});
