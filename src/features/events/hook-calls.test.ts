import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keptHookCalls } from '#contract/events.ts';
import { type HookFixture, openHookFixture } from '#testing/hook-fixture.ts';

describe('the last calls of a hook', () => {
  let fixture: HookFixture;
  let dana: HookFixture['dana'];
  let report: HookFixture['report'];
  let workspace: string;
  let reminder: string;
  beforeAll(async () => {
    fixture = await openHookFixture();
    ({ dana, report } = fixture);
  });
  beforeEach(async () => {
    ({ workspace, reminder } = await fixture.renew());
  });
  afterAll(() => fixture.close());

  const calls = async (person = dana) =>
    (await person.call('GET', `/api/reminders/${reminder}/hook/calls`, { workspace })).json.data;
  const statuses = async () => (await calls()).map(({ status }: { status: number }) => status);

  it('are shown with their answers and what they set off, also to members', async () => {
    expect(await calls()).toEqual([]);
    const { json } = await report('{"from": "Finn"}', { 'webhook-id': 'msg_1' });
    await report('{"from": "Finn"}', { 'webhook-id': 'msg_1' });
    await report('[1]');
    const event = {
      id: json.id,
      jobs: [{ job_id: json.jobs[0].job_id, name: 'Form was sent', status: 'pending' }],
      job_count: 1,
      hint: null,
    };
    const received_at = expect.any(String);
    expect(await calls(fixture.member)).toEqual([
      { received_at, status: 400, problem: 'must be an object', event: null },
      { received_at, status: 200, problem: null, event },
      { received_at, status: 201, problem: null, event },
    ]);
  });

  it('say why nothing was set off', async () => {
    await dana.call('PATCH', `/api/reminders/${reminder}`, { workspace, body: { status: 'paused' } });
    await report();
    expect((await calls())[0]).toMatchObject({
      status: 201,
      event: { jobs: [], job_count: 0, hint: 'The reminder is not active, so nothing is sent' },
    });
  });

  it('are ten, however many came and at once', async () => {
    await Promise.all(Array.from({ length: keptHookCalls + 5 }, () => report()));
    await report('', { 'content-type': 'text/plain' });
    const { rows } = await fixture.database.query(
      'select count(*)::int as count from hook_calls where reminder_id = $1',
      [reminder],
    );
    expect(rows).toEqual([{ count: keptHookCalls }]);
    expect(await statuses()).toHaveLength(keptHookCalls);
  });

  it('contain nothing of a body, and no more of a name in it than 300 characters', async () => {
    await report(JSON.stringify({ note: 'a private word' }));
    await report(JSON.stringify({ ['\u0000'.repeat(3) + 'n'.repeat(400)]: 'a private word' }));
    const { rows } = await fixture.database.query('select * from hook_calls where reminder_id = $1', [reminder]);
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain('private');
    expect(await statuses()).toEqual([400, 201]);
  });

  it('include those without a valid signature, and none of an address that has ended', async () => {
    const { json: before } = await fixture.hook();
    await fixture.setSecret('correct horse battery staple');
    expect((await report()).status).toBe(401);
    await dana.call('POST', `/api/reminders/${reminder}/hook`, { workspace });
    expect((await report('{}', {}, before.url)).status).toBe(404);
    expect((await report('{}', {}, `${before.url.slice(0, -1)}_`)).status).toBe(404);
    expect(await statuses()).toEqual([401]);
  });

  it('end with the reminder’s trigger: one that is not called by a hook has none', async () => {
    const other = await fixture.write({ schedule: { eventTrigger: 'user_signup' } });
    const { status } = await dana.call('GET', `/api/reminders/${other}/hook/calls`, { workspace });
    expect(status).toBe(422);
  });
});
