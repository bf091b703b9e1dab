import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('a reminder whose message names a variable', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
  });
  afterAll(() => cuebird.stop());
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });

  const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });
  const reminder = (content: object, changes: object = {}) => ({
    ...sampleReminder,
    status: 'active',
    ...changes,
    content: { ...sampleReminder.content, subject: 'Rent of {{amount}}', ...content },
  });
  const create = async (content: object, changes: object = {}) => {
    const { status, json } = await call('POST', '/api/reminders', reminder(content, changes));
    return { status, fields: json.error?.fields, warnings: json.warnings, id: json.id };
  };
  const wants = (variable: string) => ({
    path: `content.values.${variable}`,
    message: `Enter a value for ${variable}: without it no message can be sent`,
  });
  const contact = (email: string, variables: object) => call('POST', '/api/contacts', { email, variables });

  it('is not activated by any request while the variable has no value', async () => {
    const refused = await call('POST', '/api/reminders', reminder({}));
    expect([refused.status, refused.json.error.message, refused.json.error.fields]).toEqual([
      422,
      wants('amount').message,
      [wants('amount')],
    ]);
    const draft = await create({}, { status: 'draft' });
    expect([draft.status, draft.warnings]).toEqual([
      201,
      ['The variable amount has no value: the message will not be sent'],
    ]);
    const path = `/api/reminders/${draft.id}`;
    expect((await call('PUT', path, reminder({}))).json.error.fields).toEqual([wants('amount')]);
    expect((await call('PATCH', path, { status: 'active' })).json.error.fields).toEqual([wants('amount')]);
    const paused = await create({}, { status: 'paused' });
    const bulk = await call('POST', '/api/reminders/bulk', { ids: [draft.id, paused.id], action: 'resume' });
    expect(bulk.json.results).toEqual([
      { id: draft.id, result: 'unchanged', message: 'A draft is not started by resuming it' },
      { id: paused.id, result: 'refused', message: wants('amount').message },
    ]);
    expect((await call('GET', path)).json.status).toBe('draft');
  });

  it('is refused with all missing variables at once', async () => {
    const message = '{{amount}} on {{due_date}} for {{recipient_name | upcase}}';
    expect((await create({ message })).fields).toEqual([wants('amount'), wants('due_date')]);
    const values = { amount: '950', due_date: ' ' };
    expect((await create({ message, values })).fields).toEqual([wants('due_date')]);
  });

  it.each([
    ['a value of its own', { values: { amount: '950' } }],
    [
      'a condition around it, which only sending can decide',
      { subject: 'Rent', message: '{% if amount %}{{amount}}{% endif %}' },
    ],
    ['a default in the text', { subject: 'Rent of {{ amount | default: "950" }}' }],
    [
      'built-in variables only',
      { subject: '{{recipient_name}} {{recipient_email}} {{company_name}} {{current_date}}' },
    ],
  ])('is activated with %s', async (_, content) => {
    expect(await create(content)).toMatchObject({ status: 201, warnings: [] });
  });

  it('is activated when an event may supply the value', async () => {
    const schedule_config = { type: 'event-based', eventTrigger: 'payment_failed', timezone: 'UTC' };
    expect(await create({}, { schedule_config })).toMatchObject({ status: 201, warnings: [] });
  });

  it('is activated when contacts supply it for some recipients, with a warning about the others', async () => {
    await contact('anna@example.com', { amount: '950' });
    const recipients = ['anna@example.com', 'bert@example.com', 'cleo@example.com'];
    expect(await create({ recipients })).toMatchObject({
      status: 201,
      warnings: ['The variable amount has no value for 2 of 3 recipients: they get no message'],
    });
    await contact('bert@example.com', { due_date: 'Monday' });
    const both = await create({ message: '{{due_date}}', recipients: recipients.slice(0, 2) });
    expect([both.status, both.fields]).toEqual([422, [wants('amount'), wants('due_date')]]);
  });
});
