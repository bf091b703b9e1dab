import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('the validation of a reminder', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  let reminder: string;
  const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
    reminder = (await call('POST', '/api/reminders', sampleReminder)).json.id;
  });
  afterAll(() => cuebird.stop());

  const { content, metadata, schedule_config: schedule } = sampleReminder;
  const ownDestinations =
    'Slack and push go to destinations of their own, so nobody named here would get anything: leave it out, or choose another channel too';
  const toSlack = { content: { ...content, recipients: [] } };
  const event = {
    type: 'event-based',
    eventTrigger: 'user_signup',
    delayAmount: 1,
    delayUnit: 'days',
    timezone: 'UTC',
  };

  it.each([
    [{ name: '' }, 'name', 'Title is required'],
    [{ name: '   ' }, 'name', 'Title is required'],
    [{ name: undefined }, 'name', 'Title is required'],
    [{ name: 'x'.repeat(101) }, 'name', 'Title must be less than 100 characters'],
    [{ description: 'x'.repeat(501) }, 'description', 'Description must be less than 500 characters'],
    [{ metadata: { ...metadata, channels: [] } }, 'metadata.channels', 'At least one channel is required'],
    [{ metadata: { priority: 'low' } }, 'metadata.channels', 'At least one channel is required'],
    [{ content: { ...content, recipients: [] } }, 'content.recipients', 'At least one recipient is required'],
    [{ content: { ...content, recipients: undefined } }, 'content.recipients', 'At least one recipient is required'],
    [
      { ...toSlack, metadata: { channels: ['webhook', 'slack'] } },
      'content.recipients',
      'Add a recipient, such as a name or a URL: a webhook is called once for each',
    ],
    [{ metadata: { channels: ['slack'] } }, 'content.recipients', ownDestinations],
    [
      { content: { ...content, recipients: ['anything'] }, metadata: { channels: ['push', 'slack'] } },
      'content.recipients',
      ownDestinations,
    ],
    [
      { ...toSlack, metadata: { channels: ['slack'], audience: { everyone: true } } },
      'metadata.audience',
      ownDestinations,
    ],
    [
      { ...toSlack, metadata: { channels: ['slack'], event_recipients: true } },
      'metadata.event_recipients',
      ownDestinations,
    ],
    [
      { ...toSlack, metadata: { channels: ['slack', 'email'] } },
      'content.recipients',
      'At least one recipient is required',
    ],
    [{ content: { ...content, subject: ' ' } }, 'content.subject', 'Subject is required'],
    [{ content: { ...content, subject: undefined } }, 'content.subject', 'Subject is required'],
    [{ content: { ...content, message: '\n' } }, 'content.message', 'Message is required'],
    [{ content: { ...content, message: undefined } }, 'content.message', 'Message is required'],
    [
      { schedule_config: { ...schedule, scheduleType: 'daily', customCron: '0 9 * * 1' } },
      'schedule_config.customCron',
      'is followed by a schedule of the type `custom` alone: choose that, or leave it out',
    ],
    [
      { schedule_config: { ...event, customCron: '0 9 * * 1' } },
      'schedule_config.customCron',
      'is followed by a schedule of the type `custom` alone: choose that, or leave it out',
    ],
    [{ schedule_config: { ...event, delayAmount: -1 } }, 'schedule_config.delayAmount', 'Delay must be at least 0'],
    [{ schedule_config: { ...event, delayAmount: '5' } }, 'schedule_config.delayAmount', 'must be a number'],
    [
      { schedule_config: { ...schedule, timezone: 'Mars/Base' } },
      'schedule_config.timezone',
      'is not a known timezone, for example Europe/Berlin',
    ],
    [
      { schedule_config: { ...schedule, startDate: '2026-02-30T09:00:00' } },
      'schedule_config.startDate',
      'is not a date that exists',
    ],
  ])('refuses %j', async (changes, path, message) => {
    const input = { ...sampleReminder, ...changes };
    for (const answer of [
      await call('POST', '/api/reminders', input),
      await call('PUT', `/api/reminders/${reminder}`, input),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.json.error.fields).toEqual([{ path, message }]);
    }
  });

  it('refuses an invalid date with an example', async () => {
    const input = { ...sampleReminder, schedule_config: { ...schedule, endDate: 'tomorrow' } };
    const answer = await call('POST', '/api/reminders', input);
    expect(answer.status).toBe(400);
    expect(answer.json.error.fields).toContainEqual({
      path: 'schedule_config.endDate',
      message: 'must be an ISO date and time such as 2026-12-01T09:00:00',
    });
  });

  it('names all invalid fields at once', async () => {
    const answer = await call('POST', '/api/reminders', {
      name: '',
      schedule_config: { type: 'scheduled' },
      content: { subject: '', message: '', recipients: [] },
      metadata: { channels: [] },
    });
    expect(answer.json.error.fields.map(({ message }: { message: string }) => message).sort()).toEqual([
      'At least one channel is required',
      'At least one recipient is required',
      'Message is required',
      'Subject is required',
      'Title is required',
    ]);
  });

  it('accepts values at the limits', async () => {
    const { startDate: _, ...unstarted } = schedule;
    const created = await call('POST', '/api/reminders', {
      ...sampleReminder,
      name: 'x'.repeat(100),
      description: 'x'.repeat(500),
      schedule_config: { ...unstarted, ...event, delayAmount: 0 },
    });
    expect(created.status).toBe(201);
  });

  it.each([
    [{ recipients: [] }, 'recipients', 'Please add at least one test recipient'],
    [{ recipients: undefined }, 'recipients', 'Please add at least one test recipient'],
    [{ subject: '  ' }, 'subject', 'Please provide both subject and message'],
    [{ message: '' }, 'message', 'Please provide both subject and message'],
    [{ message: undefined }, 'message', 'Please provide both subject and message'],
  ])('refuses an incomplete test send: %j', async (changes, path, message) => {
    const body = { recipients: ['a@b.c'], subject: 'S', message: 'M', ...changes };
    const answer = await call('POST', `/api/reminders/${reminder}/test`, body);
    expect(answer.status).toBe(400);
    expect(answer.json.error.fields).toEqual([{ path, message }]);
  });

  it('accepts only active or paused as a new status', async () => {
    const answer = await call('PATCH', `/api/reminders/${reminder}`, { status: 'draft' });
    expect(answer.status).toBe(400);
    expect(answer.json.error.fields).toEqual([{ path: 'status', message: 'must be one of active, paused' }]);
  });
});
