import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

// A workspace that sends mail on weekends alone, and SMS at any time; Ann wants messages on working days.
describe('hours of a recipient that never meet those of the workspace', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  let ann: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    const sending = { enabled: true, days: [6, 7], from: '08:00', to: '20:00', zone: 'workspace', timezone: 'UTC' };
    await database.query(
      "update workspaces set settings = jsonb_build_object('sendingHours', $2::jsonb) where id = $1",
      [workspace, { ...sending, channels: ['email'] }],
    );
    await wish('ann@example.com');
    const person = { name: 'Ann', email: 'Ann@Example.com', phone: '+4915112345678' };
    const { json } = await dana.call('POST', '/api/contacts', { workspace, body: person });
    ann = json.id;
  });
  afterAll(() => cuebird.stop());

  const wish = (address: string) =>
    database.query('insert into preferences (workspace_id, address, hours, created_at) values ($1, $2, $3, $4)', [
      workspace,
      address,
      { days: [1, 2, 3, 4, 5], from: '08:00', to: '20:00', timezone: 'UTC' },
      '2026-03-02T09:00:00Z',
    ]);
  async function write(topic?: string, channels: string[] = ['email']) {
    const { json } = await dana.call('POST', '/api/reminders', {
      workspace,
      body: {
        name: 'Rent',
        status: 'active',
        schedule_config: { type: 'scheduled', scheduleType: 'monthly', timezone: 'UTC' },
        content: {
          subject: 'Rent',
          message: 'Hi',
          recipients: ['ann@example.com', 'bea@example.com'],
          ...(topic !== undefined && { topic_id: topic }),
        },
        metadata: { channels },
      },
    });
    return json.id;
  }
  const reach = async (id: string) =>
    (await dana.call('GET', `/api/reminders/${id}/reach`, { workspace })).json.counts.map(
      ({ kind, of, people }: { kind: string; of: string | null; people: number }) => [kind, of, people],
    );
  const upcoming = async () => (await dana.call('GET', `/api/contacts/${ann}/upcoming`, { workspace })).json.data;

  it('are counted by the reach, as the claim skips them, and not for a required message', async () => {
    expect(await reach(await write())).toEqual([
      ['reached', null, 1],
      ['never_in_hours', 'email', 1],
    ]);
    const law = { name: 'Notices', kind: 'required', why: 'law' };
    const { json: topic } = await dana.call('POST', '/api/topics', { workspace, body: law });
    expect(await reach(await write(topic.id))).toEqual([['reached', null, 2]]);
  });

  it('are shown on the page of the person, with what comes next', async () => {
    const { json } = await dana.call('GET', `/api/contacts/${ann}`, { workspace });
    expect(json.receiving_hours).toEqual([
      {
        address: 'ann@example.com',
        days: [1, 2, 3, 4, 5],
        from: '08:00',
        to: '20:00',
        timezone: 'UTC',
        chosen_at: '2026-03-02T09:00:00.000Z',
        never_meets: true,
      },
    ]);
    await write();
    expect(await upcoming()).toMatchObject([
      { channels: [], problem: 'The hours in which the recipient wants messages and the sending hours never meet' },
    ]);
    const law = { name: 'Notices', kind: 'required', why: 'law' };
    const { json: topic } = await dana.call('POST', '/api/topics', { workspace, body: law });
    await write(topic.id);
    expect((await upcoming()).map(({ channels }: { channels: string[] }) => channels)).toContainEqual(['email']);
  });

  it('are only those of the channels that keep sending hours', async () => {
    await wish('+4915112345678');
    const { json } = await dana.call('GET', `/api/contacts/${ann}`, { workspace });
    expect(json.receiving_hours.map((one: { never_meets: boolean }) => one.never_meets)).toEqual([false, true]);
  });

  it('are told to the members of their own workspace alone', async () => {
    const elsewhere = await dana.createWorkspace('Oak Street');
    const person = { name: 'Ann', email: 'ann@example.com' };
    const { json } = await dana.call('POST', '/api/contacts', { workspace: elsewhere, body: person });
    const { json: shown } = await dana.call('GET', `/api/contacts/${json.id}`, { workspace: elsewhere });
    expect(shown.receiving_hours).toEqual([]);
  });
});
