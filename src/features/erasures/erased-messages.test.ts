import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { type Erasing, openErasing } from '#testing/erasures.ts';
import { sampleReminder } from '#testing/samples.ts';

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
    await write([anna], { name: 'To Annabell: Keys', subject: 'Keys', message: 'The alarm code is 7139.' });
    await write([anna], {
      name: 'To Annabell: Later',
      subject: 'Later',
      message: 'The key box is 8246.',
      at: '2099-01-01T09:00:00',
    });
    await write([bert], { name: 'To Bert: Keys', subject: 'Keys', message: 'Your code is 5150.' });
    await untilSent();
    const exported = await call('POST', '/api/erasures/export', { addresses: ['annabell@example.com'] });
    expect(exported.tables.reminders.map(({ message }: { message: { message: string } }) => message.message)).toEqual(
      expect.arrayContaining(['The alarm code is 7139.', 'The key box is 8246.']),
    );
    const { counts, named_in: namedIn } = await erase('annabell@example.com');
    expect([counts.reminders, namedIn]).toEqual([2, []]);
    for (const text of ['Annabell', '7139', '8246']) expect(await erasing.tablesWith(text), text).toEqual([]);
    expect(await jobNames()).toEqual(['(erased)', '(erased)', 'To Bert: Keys']);
    expect(await erasing.tablesWith('5150')).toContain('reminders');
  });

  it('one whose contact was deleted before is found by what was sent to the address', async () => {
    const anna = await contact('Annabell Abendrot', 'annabell@example.com');
    await write([anna], { name: 'To Annabell Abendrot: Keys', subject: 'Keys', message: 'The alarm code is 7139.' });
    await untilSent();
    await call('DELETE', `/api/contacts/${anna}`);
    await erase('annabell@example.com');
    for (const text of ['Abendrot', '7139']) expect(await erasing.tablesWith(text), text).toEqual([]);
  });

  it('one to others as well loses their name, and nothing once it was for the last of them', async () => {
    const anna = await contact('Annabell Abendrot', 'annabell@example.com');
    const bert = await contact('Bert Boehm', 'bert@example.com');
    await write([anna, bert], {
      name: 'To Annabell Abendrot and Bert Boehm',
      subject: 'Keys',
      message: 'Annabell Abendrot gives the keys (code 7139) to Bert Boehm.',
    });
    await untilSent();
    await erase('annabell@example.com');
    expect(await erasing.tablesWith('Abendrot')).toEqual([]);
    expect(await jobNames()).toEqual(['To (erased) and Bert Boehm']);
    const { rows } = await cuebird.owner.query<{ message: string }>(
      "select content ->> 'message' as message from reminders where workspace_id = $1",
      [workspace],
    );
    expect(rows).toEqual([{ message: '(erased) gives the keys (code 7139) to Bert Boehm.' }]);
    await erase('bert@example.com');
    for (const text of ['Boehm', '7139']) expect(await erasing.tablesWith(text), text).toEqual([]);
  });

  it('one of the same name to somebody else stays as it is', async () => {
    await contact('Carolin Conrad', 'carolin@example.com');
    const other = await contact('Carolin Conrad', 'other@example.com');
    await write([other], { name: 'To Carolin Conrad: Keys', subject: 'Keys', message: 'Carolin Conrad, code 7139.' });
    await untilSent();
    const { named_in: namedIn } = await erase('carolin@example.com');
    expect(await erasing.tablesWith('code 7139')).toContain('reminders');
    expect(await jobNames()).toEqual(['To Carolin Conrad: Keys']);
    expect(namedIn).toMatchObject([{ kind: 'reminder' }]);
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
