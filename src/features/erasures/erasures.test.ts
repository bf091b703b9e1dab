import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { personPattern } from '#features/erasures/person-pattern.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { type Erasing, openErasing } from '#testing/erasures.ts';
import { sampleReminder, sampleTemplate } from '#testing/samples.ts';

describe('a person is erased', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  let erasing: Erasing;
  beforeAll(async () => {
    cuebird = await startTestCuebird({ erases: false });
    dana = await cuebird.signUp('Dana');
    erasing = openErasing(cuebird);
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(async () => {
    await erasing.close();
    await cuebird.stop();
  });

  const call = async (method: string, path: string, body?: object) => {
    const answer = await dana.call(method, path, { workspace, ...(body !== undefined && { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
    return answer.json;
  };
  const pass = () => erasing.pass();
  const tablesWith = (text: string) => erasing.tablesWith(text);

  it('from every table: address, number, name and values', async () => {
    await call('POST', '/api/contacts', {
      name: 'Anna Abendrot',
      email: 'Anna.Abendrot@example.com',
      phone: '+4915112345678',
      variables: { iban: 'DE0012341234' },
      tags: ['tenant'],
    });
    await call('POST', '/api/contacts', { name: 'Bert', email: 'bert@example.com' });
    const reminder = await call('POST', '/api/reminders', {
      ...sampleReminder,
      name: 'Rent',
      status: 'draft',
      content: {
        subject: 'Rent of Anna Abendrot',
        message: 'Hello',
        recipients: ['Anna <anna.abendrot@example.com>', '0151 123 456 78', 'bert@example.com'],
      },
    });
    const template = await call('POST', '/api/templates', sampleTemplate);
    for (const [recipient, amount] of [
      ['Anna <anna.abendrot@example.com>', 'DE0012341234'],
      ['bert@example.com', '950'],
    ])
      await call('POST', '/api/notifications/send', { template_id: template.id, recipient, variables: { amount } });
    await expect
      .poll(async () => (await cuebird.owner.query("select from jobs where status in ('pending', 'running')")).rowCount)
      .toBe(0);
    await call('POST', '/api/suppressions', { channel: 'sms', recipient: '+4915112345678' });
    await call('POST', '/api/consents', {
      consents: [{ channel: 'email', recipient: 'anna.abendrot@example.com', kind: 'withdrawn', how: 'writing' }],
    });

    const exported = await call('POST', '/api/erasures/export', {
      addresses: ['anna.abendrot@example.com', '+4915112345678'],
    });
    expect(exported.is_complete).toBe(true);
    expect(exported.tables.contacts).toMatchObject([{ name: 'Anna Abendrot', variables: { iban: 'DE0012341234' } }]);
    expect(Object.keys(exported.tables).toSorted()).toEqual(
      expect.arrayContaining(['contacts', 'deliveries', 'jobs', 'reminders', 'suppressions']),
    );
    expect(JSON.stringify(exported)).not.toContain('bert');

    const erasure = await call('POST', '/api/erasures', {
      addresses: ['ANNA.abendrot@example.com', '+49 151 12345678'],
      asked_how: 'By letter of 1 March',
    });
    expect(erasure).toMatchObject({ asked_how: 'By letter of 1 March', first_pass_at: null, done_at: null });
    await pass();
    expect((await call('GET', '/api/erasures')).data[0]).toMatchObject({ first_pass_at: expect.any(String) });
    await pass();
    const done = (await call('GET', '/api/erasures')).data[0];
    expect([done.named_in, done.named_more]).toEqual([[{ kind: 'reminder', id: reminder.id, name: 'Rent' }], 0]);
    expect(done.counts).toMatchObject({ contacts: 1 });
    for (const text of ['anna.abendrot', '15112345678', '0151 123 456 78', 'Anna <'])
      expect(await tablesWith(text), text).toEqual([]);
    expect(await tablesWith('Abendrot')).toEqual(['reminders']);
    expect(await tablesWith('DE0012341234')).toEqual([]);
  });

  const erased = async (...addresses: string[]) => {
    await call('POST', '/api/erasures', { addresses, asked_how: 'By letter' });
    await pass();
    await pass();
    expect((await call('GET', '/api/erasures')).data[0].done_at).not.toBeNull();
  };

  it('and gets nothing when somebody enters the address anew', async () => {
    await erased('anna@example.com');
    await call('POST', '/api/contacts', { name: 'Anna', email: 'anna@example.com' });
    const template = await call('POST', '/api/templates', sampleTemplate);
    for (const recipient of ['ANNA@example.com', 'bert@example.com'])
      await call('POST', '/api/notifications/send', { template_id: template.id, recipient, variables: { amount: 1 } });
    const ended = async () => {
      const { rows } = await cuebird.owner.query<{ recipient: string; status: string; reason_code: string | null }>(
        'select lower(recipient) as recipient, status, reason_code from deliveries where workspace_id = $1 order by 1',
        [workspace],
      );
      return rows;
    };
    await expect.poll(ended).toMatchObject([
      { recipient: 'anna@example.com', status: 'skipped', reason_code: 'suppressed' },
      { recipient: 'bert@example.com', status: expect.stringMatching('accepted|delivered') },
    ]);
  });

  it('in one workspace, and no other', async () => {
    const other = await dana.createWorkspace('Oak Street');
    const body = { name: 'Anna', email: 'anna@example.com' };
    for (const of of [workspace, other]) await dana.call('POST', '/api/contacts', { workspace: of, body });
    await erased('anna@example.com');
    expect((await call('GET', '/api/contacts')).data).toEqual([]);
    expect((await dana.call('GET', '/api/contacts', { workspace: other })).json.data).toMatchObject([body]);
    expect((await dana.call('GET', '/api/erasures', { workspace: other })).json.data).toEqual([]);
  });

  it('once more when every claim has ended that may have known them', async () => {
    await call('POST', '/api/erasures', { addresses: ['anna@example.com'], asked_how: 'By letter' });
    await cuebird.owner.query(
      "insert into claims (id, worker, lease_until, job_ids, begun) values (gen_random_uuid(), 'x', now() + interval '1 hour', '{}', '[]')",
    );
    const state = async () => (await call('GET', '/api/erasures')).data[0];
    await pass();
    await pass();
    expect(await state()).toMatchObject({ first_pass_at: expect.any(String), done_at: null });
    await cuebird.owner.query("delete from claims where worker = 'x'");
    await pass();
    expect(await state()).toMatchObject({ done_at: expect.any(String) });
    const { rows } = await cuebird.owner.query<{ sealed_people: null }>('select sealed_people from erasures');
    expect(rows.every((row) => row.sealed_people === null)).toBe(true);
  });

  it('from an event that still waits, which then goes to the others and to nobody else', async () => {
    const { rows: reminders } = await cuebird.owner.query<{ id: string }>(
      `insert into reminders (workspace_id, name, status, schedule_config, content, metadata)
       values ($1, 'R', 'draft', '{"type":"event-based"}', '{"recipients":["carla@example.com"]}', '{}') returning id`,
      [workspace],
    );
    const event = async (key: string, recipients: string[], isPending: boolean) => {
      const { rows } = await cuebird.owner.query<{ id: string }>(
        `with e as (insert into events (workspace_id, reminder_id, key, event, request_hash, occurred_at) values ($1, $2, $3, 'e', 'x', now()) returning id),
              p as (insert into event_payloads (event_id, workspace_id, payload) select id, $1, $4 from e)
         insert into jobs (workspace_id, reminder_id, name, type, status, scheduled_for, run_at, completed_at, event_id, payload)
         select $1, $2, 'R', 'event_reminder', $5, '2099-01-01Z', '2099-01-01Z', case when $5 = 'completed' then now() end, id, '{}' from e returning event_id as id`,
        [
          workspace,
          reminders[0]?.id,
          key,
          JSON.stringify({ recipients, data: { note: 'Line\neva@example.com', name: 'Eva' } }),
          isPending ? 'pending' : 'completed',
        ],
      );
      return rows[0]?.id;
    };
    const [alone, both, over] = [
      await event('eva@example.com', ['Eva <eva@example.com>'], true),
      await event('EVA@example.com', ['eva@example.com', 'bert@example.com'], true),
      await event('k', ['eva@example.com'], false),
    ];
    await erased('eva@example.com');
    const { rows } = await cuebird.owner.query<{ event_id: string; payload: object }>(
      'select event_id, payload from event_payloads where workspace_id = $1',
      [workspace],
    );
    expect(Object.fromEntries(rows.map(({ event_id: id, payload }) => [id, payload]))).toEqual({
      // Its reminder sends it to somebody else as well.
      [alone ?? '']: { recipients: [], data: { note: 'Line\n(erased)', name: 'Eva' } },
      [both ?? '']: { recipients: ['bert@example.com'], data: { note: 'Line\n(erased)', name: 'Eva' } },
      [over ?? '']: { recipients: [], data: {} },
    });
    expect(await tablesWith('eva@example.com')).toEqual([]);
  });

  it('and is on the suppression list under their address until what was being sent has ended', async () => {
    await call('POST', '/api/erasures', { addresses: ['anna@example.com'], asked_how: 'By letter' });
    const entries = async () => {
      const { rows } = await cuebird.owner.query<{ recipient: string }>(
        "select recipient from suppressions where workspace_id = $1 and channel = 'email' order by 1",
        [workspace],
      );
      return rows.map(({ recipient }) => recipient);
    };
    await pass();
    expect(await entries()).toEqual([expect.stringMatching(/^#/), 'anna@example.com']);
    await pass();
    expect(await entries()).toEqual([expect.stringMatching(/^#/)]);
  });

  it.each([
    ['+14155552671', ['(415) 555-2671', '+1 415 555 2671', '4155552671'], ['9415555267', '41555526710']],
    [
      '+4915112345678',
      ['0151 123 456 78', '+49 (0)151 12345678', '0049151/12345678'],
      ['015112345679', '1015112345678'],
    ],
    [
      'ann@example.com',
      ['Ann@Example.com', '<ann@example.com>', '"ann@example.com"'],
      ['joann@example.com', 'ann@example.com.au'],
    ],
  ])('%s is found however it is written, and nothing else', async (key, found, others) => {
    const { rows } = await cuebird.owner.query<{ text: string }>(
      'select text from unnest($1::text[]) as u (text) where text ~* $2',
      [[...found, ...others], personPattern([key])],
    );
    expect(rows.map(({ text }) => text)).toEqual(found);
  });

  it('and no webhook is told of their address, or of what stands in place of it', async () => {
    const activities = ['recipient.suppressed', 'recipient.unsubscribed'];
    await call('POST', '/api/webhooks', { url: 'http://127.0.0.1:2/hook', activity_types: activities });
    await call('POST', '/api/suppressions', { channel: 'email', recipient: 'bert@example.com' });
    await erased('fay@example.com');
    const { rows } = await cuebird.owner.query<{ body: string }>(
      'select body from webhook_activities where workspace_id = $1',
      [workspace],
    );
    expect(rows.map(({ body }) => JSON.parse(body).data.recipient)).toEqual(['bert@example.com']);
  });

  it('is exported from the newest of very many events, and the answer says that there are more', async () => {
    await cuebird.owner.query(
      `with e as (insert into events (workspace_id, key, event, request_hash, occurred_at, created_at)
                  select $1, 'k' || n, 'custom_webhook', 'x', now(), now() - n * interval '1 second' from generate_series(1, 20001) n returning id, key)
       insert into event_payloads (event_id, workspace_id, payload)
       select id, $1, jsonb_build_object('recipients', jsonb_build_array('gus@example.com'), 'data', jsonb_build_object('key', key))
         from e where key in ('k1', 'k20001')`,
      [workspace],
    );
    const { tables, is_complete: isComplete } = await call('POST', '/api/erasures/export', {
      addresses: ['gus@example.com'],
    });
    expect(isComplete).toBe(false);
    expect(tables.event_payloads).toMatchObject([{ data: { key: 'k1' } }]);
  });

  it('is refused for what is no address or number, at its field', async () => {
    const refused = await dana.call('POST', '/api/erasures', {
      workspace,
      body: { addresses: ['anna@example.com', 'Anna'], asked_how: 'By letter' },
    });
    expect([refused.status, refused.json.error.fields]).toMatchObject([400, [{ path: 'addresses.1' }]]);
  });
});
