import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('the audience of a reminder', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  let anna: string;
  let elm: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
  });
  afterAll(() => cuebird.stop());
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    anna = (await call('POST', '/api/contacts', { name: 'Anna', email: 'anna@example.com', tags: ['vip'] })).json.id;
    await call('POST', '/api/contacts', { name: 'Ben', phone: '+4915112345678', variables: { building: '12 Elm' } });
    const rule = { match: 'all', conditions: [{ test: 'is', variable: 'building', value: '12 Elm' }] };
    elm = (await call('POST', '/api/contact-groups', { name: '12 Elm', rule })).json.id;
  });

  const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });
  const written = (
    audience: object | undefined,
    changes: { recipients?: string[]; name?: string; status?: string } = {},
  ) => {
    const { recipients = [], ...rest } = changes;
    return {
      ...sampleReminder,
      status: 'draft',
      schedule_config: { ...sampleReminder.schedule_config, startDate: '2099-01-01T09:00:00' },
      ...rest,
      content: { ...sampleReminder.content, recipients },
      metadata: { ...sampleReminder.metadata, audience },
    };
  };
  const create = (...of: Parameters<typeof written>) => call('POST', '/api/reminders', written(...of));
  const fieldsOf = (refused: Awaited<ReturnType<typeof call>>) =>
    refused.json.error.fields.map(({ path, message }: { path: string; message: string }) => [path, message]);
  const required = ['content.recipients', 'At least one recipient is required'];

  it('counts as a recipient, and an empty one does not', async () => {
    expect((await create({ tags: ['vip'] })).status).toBe(201);
    for (const audience of [undefined, {}, { everyone: false, groups: [], tags: [], contacts: [] }]) {
      const refused = await create(audience);
      expect(refused.status).toBe(400);
      expect(fieldsOf(refused)).toEqual([required]);
    }
    expect(fieldsOf(await create({}, { name: '' }))).toEqual(
      expect.arrayContaining([required, ['name', 'Title is required']]),
    );
  });

  it('is stored, copied with the reminder, and changed by an edit', async () => {
    const audience = { everyone: true, groups: [elm], tags: ['VIP'], contacts: [anna] };
    const { json: reminder } = await create(audience);
    expect(reminder.metadata.audience).toEqual(audience);
    const copy = await call('POST', `/api/reminders/${reminder.id}/duplicate`);
    expect(copy.json.metadata.audience).toEqual(audience);
    const edited = await call('PUT', `/api/reminders/${reminder.id}`, written({ tags: ['tenant'] }));
    expect(edited.json.metadata.audience).toEqual({ tags: ['tenant'] });
    const { data, total } = (await call('GET', `/api/contact-groups/${elm}/uses`)).json;
    expect([data.map(({ id }: { id: string }) => id), total]).toEqual([[copy.json.id], 1]);
  });

  it('is refused with groups and contacts of another workspace, and with too many', async () => {
    const other = await dana.createWorkspace('Oak Lane');
    const body = written({ groups: [elm], contacts: [anna] });
    const refused = await dana.call('POST', '/api/reminders', { workspace: other, body });
    expect(refused.status).toBe(400);
    expect(fieldsOf(refused)).toEqual([
      ['metadata.audience.groups.0', 'There is no such group in this workspace'],
      ['metadata.audience.contacts.0', 'There is no such contact in this workspace'],
    ]);
    for (const [field, most] of [
      ['groups', 20],
      ['tags', 50],
      ['contacts', 1_000],
    ] as const) {
      const many = await create({ [field]: Array.from({ length: most + 1 }, () => (field === 'tags' ? 'vip' : anna)) });
      expect(fieldsOf(many)[0][0]).toBe(`metadata.audience.${field}`);
    }
  });

  it('may keep a group that was deleted, with a warning, and may not take up another', async () => {
    const { json: reminder } = await create({ groups: [elm], contacts: [anna] });
    expect(reminder.warnings).toEqual([]);
    await call('DELETE', `/api/contact-groups/${elm}`);
    await call('DELETE', `/api/contacts/${anna}`);
    const gone = ['A group to whom it is sent no longer exists', 'A contact to whom it is sent no longer exists'];
    expect((await call('GET', `/api/reminders/${reminder.id}`)).json.warnings).toEqual(gone);
    expect((await call('GET', '/api/reminders')).json.data[0].warnings).toEqual(gone);
    expect((await call('GET', '/api/reminders?view=summary')).json.data[0].warnings).toEqual(gone);
    const edited = await call('PUT', `/api/reminders/${reminder.id}`, written({ groups: [elm] }, { name: 'Renamed' }));
    expect([edited.status, edited.json.warnings]).toEqual([200, gone.slice(0, 1)]);
    expect((await create({ groups: [elm] })).status).toBe(400);
  });

  it('has no warning that nothing will be sent, when only listed recipients lack a value', async () => {
    await call('POST', '/api/contacts', { name: 'Cleo', email: 'cleo@example.com', variables: { amount: '950' } });
    const body = written({ everyone: true }, { recipients: ['dan@example.com'] });
    const reminder = await call('POST', '/api/reminders', {
      ...body,
      content: { ...body.content, message: 'Pay {{amount}}', values: {} },
    });
    expect(reminder.json.warnings).toEqual([]);
    expect((await call('GET', `/api/reminders/${reminder.json.id}/reach`)).json.counts).toContainEqual({
      kind: 'reached',
      of: null,
      people: 1,
    });
  });

  it('is shown with the pending job: who it reaches now, through what, and of whom it has no address', async () => {
    const { status } = await create(
      { everyone: true, groups: [elm] },
      { status: 'active', recipients: ['ANNA@example.com'] },
    );
    expect(status).toBe(201);
    const [job] = (await call('GET', '/api/jobs')).json.data;
    const reach = async (query = '') => (await call('GET', `/api/jobs/${job.id}/reach${query}`)).json;
    const withoutAddress = { kind: 'no_address', of: 'email', people: 1 };
    expect((await reach()).counts).toEqual([{ kind: 'reached', of: null, people: 1 }, withoutAddress]);
    expect((await reach('?kind=reached')).data).toMatchObject([
      { contact_id: anna, targets: [{ recipient: 'ANNA@example.com', through: null, problem: null }] },
    ]);
    expect((await reach('?kind=no_address')).data[0].targets).toEqual([
      {
        channel: 'email',
        recipient: '+4915112345678',
        recipient_name: 'Ben',
        through: 'group 12 Elm',
        problem: 'Ben has no email address',
        is_fallback: false,
        is_preferred: false,
      },
    ]);
    await call('POST', '/api/suppressions', { channel: 'email', recipient: 'anna@EXAMPLE.com' });
    expect((await reach('?kind=suppressed')).data[0].targets[0]).toMatchObject({
      problem: 'The recipient is on the suppression list',
    });
    expect((await reach()).counts).toEqual([
      { kind: 'reached', of: null, people: 0 },
      { kind: 'suppressed', of: 'email', people: 1 },
      withoutAddress,
    ]);
    const day = await call('GET', '/api/dashboard/day');
    expect(day.json.upcoming?.next ?? []).toEqual([]);
  });
});
