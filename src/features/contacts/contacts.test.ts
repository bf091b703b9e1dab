import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { untilFound } from '#testing/changes.ts';
import { addMember } from '#testing/owner.ts';

describe('contacts', () => {
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
  const add = async (contact: object) => {
    const added = await call('POST', '/api/contacts', contact);
    expect([added.status, added.json.error]).toEqual([201, undefined]);
    return added.json;
  };
  const names = async (query = '') =>
    (await call('GET', `/api/contacts${query}`)).json.data.map((contact: { name: string }) => contact.name);

  it('are stored in normal form: the address in lower case, the number with its country code', async () => {
    const anna = await add({
      name: '  Anna Smith ',
      email: ' Anna@Example.COM ',
      phone: '0151 1234 5678',
      default_country: 'de',
      timezone: 'europe/berlin',
      variables: { amount: '950 €' },
    });
    expect(anna).toMatchObject({
      name: 'Anna Smith',
      email: 'anna@example.com',
      phone: '+4915112345678',
      timezone: 'Europe/Berlin',
      variables: { amount: '950 €' },
      workspace_id: workspace,
      created_by: dana.userId,
    });
    const replaced = await call('PUT', `/api/contacts/${anna.id}`, { name: 'Anna Jones', email: 'anna@example.com' });
    expect(replaced.json).toMatchObject({
      id: anna.id,
      name: 'Anna Jones',
      phone: null,
      timezone: null,
      variables: {},
    });
  });

  it('have the name of their parts, until it is written otherwise', async () => {
    const parts = {
      first_name: ' Anna ',
      last_name: 'Smith',
      salutation: 'Ms',
      language: 'DE_at',
      note: ' Rings twice ',
    };
    const anna = await add({ ...parts, email: 'anna@example.com' });
    expect(anna).toMatchObject({
      name: 'Anna Smith',
      first_name: 'Anna',
      last_name: 'Smith',
      salutation: 'Ms',
      language: 'de-AT',
      note: 'Rings twice',
    });
    const put = async (body: object) =>
      (await call('PUT', `/api/contacts/${anna.id}`, { email: anna.email, ...body })).json;
    // As a program sends back what it has read, with one field changed.
    const { name, first_name, last_name } = anna;
    expect(await put({ name, first_name, last_name: 'Jones' })).toMatchObject({ name: 'Anna Jones', salutation: null });
    expect(await put({ name: 'Dr. A. Jones', first_name, last_name })).toMatchObject({ name: 'Dr. A. Jones' });
    expect(await put({ name: 'Dr. A. Jones', first_name: 'Hannah', last_name })).toMatchObject({
      name: 'Dr. A. Jones',
    });
    expect(await put({ first_name: 'Hannah', last_name })).toMatchObject({ name: 'Hannah Smith' });
    expect(await names('?search=smith')).toEqual(['Hannah Smith']);
    // Both parts at their longest make a name.
    const long = await put({ first_name: 'a'.repeat(99), last_name: 'b'.repeat(99) });
    expect(long.name).toHaveLength(199);
  });

  it.each(['0000-01-01', '9999-12-31', 'tomorrow'])('are paused until no such day as %s', async (until) => {
    const { status, json } = await call('POST', '/api/contacts', { email: 'day@example.com', paused_until: until });
    expect([status, json.error.fields[0].path]).toEqual([400, 'paused_until']);
    const csv = `Email,No reminders before\nday@example.com,${until}`;
    expect((await call('POST', '/api/contacts/import', { csv, mode: 'preview' })).status).toBe(200);
  });

  it('are replaced whole by PUT, but for their tags and a pause; a batch keeps what it leaves out', async () => {
    const email = 'anna@example.com';
    const whole = {
      first_name: 'Anna',
      last_name: 'Smith',
      salutation: 'Ms',
      language: 'de',
      preferred_channel: 'sms',
      note: 'Rings twice',
      phone: '+4915112345678',
      timezone: 'Europe/Berlin',
      variables: { unit: '4b' },
      tags: ['tenant'],
    };
    const { id } = await add({ ...whole, email, paused_until: '2027-03-01' });
    await call('POST', '/api/contacts/batch', { contacts: [{ email, last_name: 'Jones' }] });
    const kept = { ...whole, name: 'Anna Jones', last_name: 'Jones' };
    expect((await call('GET', `/api/contacts/${id}`)).json).toMatchObject(kept);
    const emptied = Object.fromEntries(Object.keys(whole).map((field) => [field, null]));
    expect((await call('PUT', `/api/contacts/${id}`, { name: 'Anna', email })).json).toMatchObject({
      ...emptied,
      paused_until: '2027-03-01',
      name: 'Anna',
      variables: {},
      tags: ['tenant'],
    });
  });

  it('have a language that there is, and a note that no list of recipients brings along', async () => {
    for (const language of ['xx', 'german', 'de-', 'd', 'de-'.repeat(20)]) {
      const { status, json } = await call('POST', '/api/contacts', { email: 'x@example.com', language });
      expect([language, status, json.error.fields[0].path]).toEqual([language, 400, 'language']);
    }
    expect(await add({ email: 'x@example.com', language: ' ' })).toMatchObject({ language: null });
    const tooLong = await call('POST', '/api/contacts', { email: 'y@example.com', note: 'n'.repeat(2_001) });
    expect(tooLong.status).toBe(400);
  });

  it('have no two values of one name, whatever its case, spaces and underscores', async () => {
    const variables = { Amount: '950', move_in: '1 March', amount: '960' };
    const refused = await call('POST', '/api/contacts', { name: 'Anna', variables });
    expect([refused.status, refused.json.error.fields]).toEqual([
      400,
      [{ path: 'variables.amount', message: 'is the same variable as Amount' }],
    ]);
    const csv = 'Email,MOVE IN\nanna@example.com,2 March';
    await add({ email: 'anna@example.com', variables: { move_in: '1 March' } });
    await call('POST', '/api/contacts/import', { csv, mode: 'import' });
    expect((await call('GET', '/api/contacts')).json.data).toMatchObject([{ variables: { move_in: '2 March' } }]);
  });

  it('tell the names of their values, one spelling of each', async () => {
    await add({ name: 'Anna', variables: { amount: '950', flat: '3' } });
    await add({ name: 'Bert', variables: { Amount: '960', rent: '' } });
    expect((await call('GET', '/api/contacts/variables')).json.data).toEqual(['amount', 'flat', 'rent']);
  });

  it('use the country of the workspace’s phone channel for numbers without one', async () => {
    const configuration = { provider: 'twilio', api_key: 'AC1', api_secret: 's', from_number: '+493012345678' };
    const channel = await call('POST', '/api/channels', { name: 'Phone', type: 'sms', configuration });
    expect(channel.status).toBe(201);
    expect(await add({ phone: '0151 12345678' })).toMatchObject({ phone: '+4915112345678' });
    expect(await add({ phone: '0151 12345678', default_country: 'AT' })).toMatchObject({ phone: '+4315112345678' });
  });

  it('are found by a part of their name, address or number', async () => {
    await add({ name: 'Zoë Müller', email: 'zoe_m@example.com' });
    await add({ name: 'Bert', phone: '+49 151 1234 5678' });
    expect(await names('?search=MULLER')).toEqual(['Zoë Müller']);
    expect(await names('?search=zoe_m')).toEqual(['Zoë Müller']);
    expect(await names('?search=z_e')).toEqual([]);
    expect(await names(`?search=${encodeURIComponent('0151 123')}`)).toEqual(['Bert']);
    expect(await names('?search=%25')).toEqual([]);
  });

  it('are found by a part of their values, as far as 40 characters of each and 200 of all go', async () => {
    const long = 'x'.repeat(40);
    await add({ name: 'Mia', variables: { company: 'ACME GmbH', contract: '4711', note: `${long}tail` } });
    await add({ name: 'Noor', variables: Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`v${n}`, long])) });
    await add({ name: 'Ole', variables: { company: 'Other' } });
    for (const text of ['acme', 'ME GM', '4711']) expect(await names(`?search=${text}`)).toEqual(['Mia']);
    expect(await names('?search=company')).toEqual([]);
    expect(await names('?search=tail')).toEqual([]);
    expect(await names(`?search=${long}`)).toEqual(['Mia', 'Noor']);
  });

  it.each([
    [{}, '', 'Enter a name, an email address or a phone number'],
    [{ name: ' ', email: '' }, '', 'Enter a name, an email address or a phone number'],
    [{ email: 'anna' }, 'email', 'is not an email address, such as anna@example.com'],
    [
      { phone: '0151 123456' },
      'phone',
      '“0151 123456” is not a phone number with its country code, such as +491701234567',
    ],
    [{ phone: '0151 123456', default_country: 'ZZ' }, 'default_country', '“ZZ” is not a country'],
    [{ name: 'Anna', timezone: 'Elm' }, 'timezone', 'is not a known timezone, for example Europe/Berlin'],
    [
      { name: 'Anna', variables: { 'no name': '1' } },
      'variables.no name',
      'has a name that must begin with a letter and hold letters, digits, _ and - only',
    ],
    [{ name: 'A', variables: numbered(51) }, 'variables', 'must be at most 50 values'],
    [{ name: 'a'.repeat(201) }, 'name', 'must be at most 200 characters'],
  ])('are refused with invalid fields: %j', async (contact, path, message) => {
    const refused = await call('POST', '/api/contacts', contact);
    expect([refused.status, refused.json.error.fields]).toEqual([400, [{ path, message }]]);
  });

  it('have a unique address and a unique number', async () => {
    const anna = await add({ name: 'Anna', email: 'anna@example.com' });
    const bert = await add({ name: 'Bert', phone: '+4915112345678' });
    const twice = await call('POST', '/api/contacts', { email: 'ANNA@example.com', phone: '+49 151 12345678' });
    expect([twice.status, twice.json.error.fields]).toEqual([
      409,
      expect.arrayContaining([
        { path: 'email', message: 'This is the email address of the contact Anna' },
        { path: 'phone', message: 'This is the number of the contact Bert' },
      ]),
    ]);
    const changed = await call('PUT', `/api/contacts/${bert.id}`, { email: 'anna@example.com' });
    expect(changed.status).toBe(409);
    const kept = await call('PUT', `/api/contacts/${anna.id}`, { email: 'anna@example.com' });
    expect(kept.status).toBe(200);
  });

  it('are created once by concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => call('POST', '/api/contacts', { email: 'anna@example.com' })),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409, 409, 409]);
  });

  it('are deleted singly or several at once', async () => {
    const [anna, bert, carla] = [
      await add({ name: 'Anna' }),
      await add({ name: 'Bert' }),
      await add({ name: 'Carla' }),
    ];
    expect((await call('DELETE', `/api/contacts/${anna.id}`)).status).toBe(200);
    expect((await call('DELETE', `/api/contacts/${anna.id}`)).status).toBe(404);
    const several = await call('POST', '/api/contacts/delete', { ids: [anna.id, bert.id, carla.id] });
    expect(several.json).toEqual({ deleted: 2 });
    expect(await names()).toEqual([]);
  });

  it('are restored unchanged in one request', async () => {
    const {
      id: _,
      workspace_id: __,
      created_by: ___,
      created_at: ____,
      updated_at: _____,
      ...anna
    } = await add({
      name: 'Anna',
      email: 'anna@example.com',
      variables: { amount: '1' },
    });
    const saved = await call('POST', '/api/contacts/batch', {
      contacts: [{ ...anna, name: 'Anna Jones' }, { name: 'Bert' }],
    });
    expect(saved.json.error?.fields).toBeUndefined();
    expect(saved.json.counts).toEqual({ created: 1, updated: 1, unchanged: 0, joined: 0, failed: 0, incomplete: 0 });
    expect(await names()).toEqual(['Anna Jones', 'Bert']);
  });

  it('supply values of a reminder, which then warns only of recipients without a value', async () => {
    await add({ email: 'anna@example.com', variables: { rent: '950' } });
    await add({ phone: '+4915112345678', variables: { rent: '800' } });
    const write = async (recipients: string[]) => {
      const written = await call('POST', '/api/reminders', {
        name: 'Rent',
        status: 'draft',
        schedule_config: { type: 'scheduled', scheduleType: 'daily', startDate: '2099-01-01T09:00:00' },
        content: { subject: 'Rent', message: 'It is {{rent}}', recipients },
        metadata: { channels: ['email', 'sms'] },
      });
      return written.json.warnings;
    };
    expect(await write(['Anna <ANNA@example.com>', '+49 151 12345678'])).toEqual([]);
    expect(await write(['anna@example.com', 'bert@example.com'])).toEqual([
      'The variable rent has no value for 1 of 2 recipients: they get no message',
    ]);
    expect(await write(['bert@example.com'])).toEqual(['The variable rent has no value: the message will not be sent']);
  });

  it('take precedence over the data of an event and the name of the workspace', async () => {
    await add({ name: 'Anna', email: 'anna@example.com', variables: { rent: '950', company_name: 'Elm & Sons' } });
    await call('POST', '/api/reminders', {
      name: 'Welcome',
      schedule_config: { type: 'event-based', eventTrigger: 'user_signup', timezone: 'UTC' },
      content: {
        subject: 'Welcome',
        message: '{{recipient_name}}: {{rent}}, {{plan}}, {{company_name}}',
        recipients: ['anna@example.com', 'bert@example.com'],
      },
      metadata: { channels: ['email'] },
    });
    const data = { rent: '1', plan: 'basic', recipient_name: 'somebody' };
    expect((await call('POST', '/api/events', { event: 'user_signup', data })).status).toBeLessThan(300);
    const texts = await untilFound(cuebird.databaseUrl, async () => {
      const { data: mails } = (await call('GET', '/api/inbox')).json;
      return mails.length === 2 ? mails.map(({ text }: { text: string }) => text.split('\n')[0]).sort() : null;
    });
    expect(texts).toEqual(['Anna: 950, basic, Elm & Sons', 'somebody: 1, basic, Elm Street']);
  });

  it('are visible only in their workspace, and every member may edit them', async () => {
    const anna = await add({ name: 'Anna', email: 'anna@example.com' });
    const eve = await cuebird.signUp('Eve');
    const elsewhere = await eve.createWorkspace('Next door');
    const foreign = { workspace: elsewhere, body: { name: 'Mine' } };
    expect((await eve.call('PUT', `/api/contacts/${anna.id}`, foreign)).status).toBe(404);
    expect((await eve.call('DELETE', `/api/contacts/${anna.id}`, { workspace: elsewhere })).status).toBe(404);
    const body = { ids: [anna.id] };
    expect((await eve.call('POST', '/api/contacts/delete', { workspace: elsewhere, body })).json).toEqual({
      deleted: 0,
    });
    expect((await eve.call('GET', '/api/contacts', { workspace })).status).toBe(404);
    expect(
      (await eve.call('POST', '/api/contacts', { workspace: elsewhere, body: { email: 'anna@example.com' } })).status,
    ).toBe(201);

    const { owner } = cuebird;
    await addMember(owner, { workspace, userId: eve.userId, role: 'member' });
    expect((await eve.call('PUT', `/api/contacts/${anna.id}`, { workspace, body: { name: 'Anna J' } })).status).toBe(
      200,
    );
  });

  it('are made once by a repeated request with the same key', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const [first, second] = [
      await dana.call('POST', '/api/contacts', { workspace, body: { name: 'Anna' }, headers }),
      await dana.call('POST', '/api/contacts', { workspace, body: { name: 'Anna' }, headers }),
    ];
    expect(second.json).toEqual(first.json);
    expect(await names()).toEqual(['Anna']);
  });
});

const numbered = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, '1']));
