import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { type Erasing, openErasing } from '#testing/erasures.ts';
import { sampleReminder, sampleTemplate } from '#testing/samples.ts';

describe('of the messages of a person who is erased', () => {
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
  const contact = async (name: string, email: string): Promise<string> =>
    (await call('POST', '/api/contacts', { name, email })).id;
  /** As “Write to them now” writes it. */
  const write = async (
    contacts: readonly string[],
    { name, subject, message, at }: Record<'name' | 'subject' | 'message', string> & { at?: string },
  ): Promise<string> =>
    (
      await call('POST', '/api/reminders', {
        ...sampleReminder,
        name,
        description: null,
        status: 'active',
        schedule_config: {
          type: 'scheduled',
          scheduleType: 'once',
          timezone: 'UTC',
          ...(at !== undefined && { startDate: at }),
        },
        content: { subject, message, recipients: [] },
        metadata: { channels: ['email'], audience: { contacts }, one_off: true },
      })
    ).id;
  const untilSent = () =>
    expect
      .poll(
        async () =>
          (
            await cuebird.owner.query(
              "select from jobs where workspace_id = $1 and status in ('pending', 'running') and run_at < now() + interval '1 day'",
              [workspace],
            )
          ).rowCount,
      )
      .toBe(0);
  const erase = async (...addresses: string[]) => {
    await call('POST', '/api/erasures', { addresses, asked_how: 'By letter' });
    await erasing.pass();
    await erasing.pass();
    const [last] = (await call('GET', '/api/erasures')).data;
    expect(last.done_at).not.toBeNull();
    return last;
  };
  const jobNames = async (): Promise<string[]> =>
    (await call('GET', '/api/jobs')).data.map(({ name }: { name: string }) => name).toSorted();

  it('one that was written to them alone keeps nothing, not even under a name of one word', async () => {
    const anna = await contact('Annabell', 'annabell@example.com');
    const bert = await contact('Bert', 'bert@example.com');
    await write([anna], { name: 'To Annabell: Keys', subject: 'Keys', message: 'The alarm code is lilac-nine.' });
    await write([anna], {
      name: 'To Annabell: Later',
      subject: 'Later',
      message: 'The key box is amber-four.',
      at: '2099-01-01T09:00:00',
    });
    await write([bert], { name: 'To Bert: Keys', subject: 'Keys', message: 'Your code is ochre-two.' });
    await untilSent();
    const exported = await call('POST', '/api/erasures/export', { addresses: ['annabell@example.com'] });
    expect(exported.tables.reminders.map(({ message }: { message: { message: string } }) => message.message)).toEqual(
      expect.arrayContaining(['The alarm code is lilac-nine.', 'The key box is amber-four.']),
    );
    const { counts, named_in: namedIn } = await erase('annabell@example.com');
    expect([counts.reminders, namedIn]).toEqual([2, []]);
    for (const text of ['Annabell', 'lilac-nine', 'amber-four'])
      expect(await erasing.tablesWith(text), text).toEqual([]);
    expect(await jobNames()).toEqual(['(erased)', '(erased)', 'To Bert: Keys']);
    expect(await erasing.tablesWith('ochre-two')).toContain('reminders');
  });

  it('one whose contact was deleted before is found by what was sent to the address', async () => {
    const anna = await contact('Annabell Abendrot', 'annabell@example.com');
    await write([anna], {
      name: 'To Annabell Abendrot: Keys',
      subject: 'Keys',
      message: 'The alarm code is lilac-nine.',
    });
    await untilSent();
    await call('DELETE', `/api/contacts/${anna}`);
    await erase('annabell@example.com');
    for (const text of ['Abendrot', 'lilac-nine']) expect(await erasing.tablesWith(text), text).toEqual([]);
  });

  it('one to others as well loses their name, and nothing once it was for the last of them', async () => {
    const anna = await contact('Annabell Abendrot', 'annabell@example.com');
    const bert = await contact('Bert Boehm', 'bert@example.com');
    await write([anna, bert], {
      name: 'To Annabell Abendrot and Bert Boehm',
      subject: 'Keys',
      message: 'Annabell Abendrot gives the keys (code lilac-nine) to Bert Boehm.',
    });
    await untilSent();
    await erase('annabell@example.com');
    expect(await erasing.tablesWith('Abendrot')).toEqual([]);
    expect(await jobNames()).toEqual(['To (erased) and Bert Boehm']);
    const { rows } = await cuebird.owner.query<{ message: string }>(
      "select content ->> 'message' as message from reminders where workspace_id = $1",
      [workspace],
    );
    expect(rows).toEqual([{ message: '(erased) gives the keys (code lilac-nine) to Bert Boehm.' }]);
    await erase('bert@example.com');
    for (const text of ['Boehm', 'lilac-nine']) expect(await erasing.tablesWith(text), text).toEqual([]);
  });

  it('one of the same name to somebody else stays as it is', async () => {
    await contact('Carolin Conrad', 'carolin@example.com');
    const other = await contact('Carolin Conrad', 'other@example.com');
    await write([other], {
      name: 'To Carolin Conrad: Keys',
      subject: 'Keys',
      message: 'Carolin Conrad, code lilac-nine.',
    });
    await untilSent();
    const { named_in: namedIn } = await erase('carolin@example.com');
    expect(await erasing.tablesWith('code lilac-nine')).toContain('reminders');
    expect(await jobNames()).toEqual(['To Carolin Conrad: Keys']);
    expect(namedIn).toMatchObject([{ kind: 'reminder' }]);
  });

  it('what members wrote for many is listed with its name, as it is called now, and the number of what is not', async () => {
    const parts = { name: 'Carolin Conrad', first_name: 'Carolin', last_name: 'Conrad' };
    await call('POST', '/api/contacts', { ...parts, email: 'carolin@example.com' });
    const written = async (path: string, body: object) => (await call('POST', path, body)).id;
    const text = { ...sampleReminder.content, recipients: ['bert@example.com'] };
    const reminder = { ...sampleReminder, status: 'paused', content: text };
    const value = await written('/api/reminders', {
      ...reminder,
      name: 'B',
      content: { ...text, message: '{{who}}', values: { who: 'Carolin Conrad' } },
    });
    const lastName = await written('/api/reminders', { ...reminder, name: 'A', description: 'For Conrad' });
    await written('/api/reminders', { ...reminder, name: 'C', description: 'For conradine and conrad' });
    const template = await written('/api/templates', { ...sampleTemplate, name: 'Of Carolin Conrad' });
    await call('PATCH', `/api/templates/${template}`, { ...sampleTemplate, name: 'T' });
    const group = await written('/api/contact-groups', {
      name: 'Conrad',
      rule: { match: 'all', conditions: [{ test: 'has_tag', tag: 'x' }] },
    });
    const done = await erase('carolin@example.com');
    expect(done.named_more).toBe(0);
    expect(done.named_in).toEqual([
      { kind: 'group', id: group, name: 'Conrad' },
      ...[
        { kind: 'reminder', id: value, name: 'B' },
        { kind: 'reminder', id: lastName, name: 'A' },
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      { kind: 'template', id: template, name: 'T' },
    ]);
    await call('DELETE', `/api/reminders/${value}`);
    await call('PUT', `/api/reminders/${lastName}`, { ...reminder, name: 'Z' });
    const names = (await call('GET', '/api/erasures')).data[0].named_in.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['Conrad', 'Z', 'T']);
  });

  it('of more than fifty that name them the list says how many there are', async () => {
    await cuebird.owner.query(
      `insert into reminders (workspace_id, name, status, schedule_config, content, metadata)
       select $1, 'R' || n, 'paused', $2, '{"subject":"dora@example.com","recipients":[]}', '{}' from generate_series(1, 53) n`,
      [workspace, sampleReminder.schedule_config],
    );
    const { named_in: namedIn, named_more: more } = await erase('dora@example.com');
    expect([namedIn.length, more]).toEqual([50, 3]);
  });

  it('one to others that waits loses their address in its text', async () => {
    const template = await call('POST', '/api/templates', {
      name: 'Rent',
      content: { subject: 'Rent', body: 'Ask {{whom}}.', type: 'email' },
    });
    const schedule = { type: 'scheduled', scheduleType: 'once', startDate: '2099-01-01T09:00:00', timezone: 'UTC' };
    await call('POST', '/api/jobs', {
      template_id: template.id,
      name: 'Rent',
      schedule,
      recipients: ['bert@example.com'],
      variables: { whom: 'annabell@example.com, +49 151 12345678' },
    });
    await erase('annabell@example.com', '+4915112345678');
    for (const text of ['annabell', '12345678']) expect(await erasing.tablesWith(text), text).toEqual([]);
    expect(await erasing.tablesWith('bert@example.com')).toContain('jobs');
  });

  it('an event that waits and is for nobody else keeps none of its values', async () => {
    await call('POST', '/api/reminders', {
      ...sampleReminder,
      status: 'active',
      schedule_config: {
        type: 'event-based',
        eventTrigger: 'trial_ending',
        delayAmount: 3,
        delayUnit: 'days',
        timezone: 'UTC',
      },
      content: { subject: 'Hello', message: '{{iban}}', recipients: [] },
      metadata: { channels: ['email'], event_recipients: true },
    });
    await call('POST', '/api/events', {
      event: 'trial_ending',
      key: 'k1',
      recipients: ['annabell@example.com'],
      data: { iban: 'DE0012341234' },
    });
    expect(await erasing.tablesWith('DE0012341234')).toEqual(['event_payloads']);
    await erase('annabell@example.com');
    expect(await erasing.tablesWith('DE0012341234')).toEqual([]);
  });

  it('a text stays valid where a number of theirs is a number of its JSON', async () => {
    await cuebird.owner.query(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at, payload)
       values ($1, 'R', 'api_notification', 'completed', now(), now(), now(), '{"n": 4915112345678, "t": "is +49 151 12345678"}')`,
      [workspace],
    );
    await erase('+4915112345678');
    const { rows } = await cuebird.owner.query<{ payload: object }>(
      'select payload from jobs where workspace_id = $1',
      [workspace],
    );
    expect(rows).toEqual([{ payload: { n: 0, t: 'is 0' } }]);
  });
});
