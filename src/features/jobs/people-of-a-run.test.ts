import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CountedJob } from '#contract/jobs.ts';
import { reachedText, unreachedTexts } from '#domain/run-outcome.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import {
  accepted,
  fellBack,
  insertRunOfPeople,
  lacksStreet,
  type Lines,
  mostWereReached,
  onBoth,
  peopleInLedger,
} from '#testing/run-of-people.ts';

describe('the people of a run', () => {
  let cuebird: TestCuebird;
  let owner: Client;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    owner = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const get = async (path: string) => (await dana.call('GET', path, { workspace })).json;
  const yesterday = () => Temporal.Now.instant().subtract({ hours: 24 }).toString();
  const insertRun = (status: 'completed' | 'failed' | 'pending', people: readonly Lines[], reminderId?: string) =>
    insertRunOfPeople(owner, {
      workspaceId: workspace,
      at: yesterday(),
      status,
      people,
      reminderId: reminderId ?? null,
    });

  const reminder = {
    name: 'Rent is due',
    status: 'draft',
    schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: '2098-01-01T09:00:00', timezone: 'UTC' },
    content: { subject: 'Rent', message: 'Hi', recipients: ['anna@example.com'] },
    metadata: { channels: ['email', 'sms'], channel_mode: 'in_order' },
  };

  it('are one by a number that is written to by SMS and by WhatsApp', async () => {
    const job = await insertRun('failed', [accepted]);
    await owner.query(
      `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts, completed_at)
       select $1, id, scheduled_for, d.channel, '+4915112345678', d.status, 1, scheduled_for
         from jobs, (values ('sms', 'failed'), ('whatsapp', 'delivered')) d (channel, status) where id = $2`,
      [workspace, job],
    );
    const { people, recipients } = await get(`/api/jobs/${job}`);
    expect([people.total, people.reached, recipients.total]).toEqual([2, 2, 3]);
    expect(await peopleInLedger(owner, job)).toMatchObject({ total: 2, reached: 2 });
    expect((await get('/api/analytics')).people).toEqual({ reached: 2, missed: 0 });
    const today = Temporal.Now.plainDateISO('UTC');
    const [from, to] = [today.subtract({ days: 7 }).toString(), today.toString()];
    const found = await get(`/api/analytics/deliveries?from=${from}&to=${to}`);
    expect([found.people, found.unreached]).toEqual([{ reached: 2, missed: 0 }, []]);
  });

  it('are the same number in every answer, file and activity: 173 of 184, of whom 11 lack a value', async () => {
    const body = { url: 'https://hooks.example.com/', activity_types: ['job.failed'] };
    await dana.call('POST', '/api/webhooks', { workspace, body });
    const { id } = (await dana.call('POST', '/api/reminders', { workspace, body: reminder })).json;
    const job = await insertRun('failed', mostWereReached, id);
    const own = await peopleInLedger(owner, job);
    expect(own).toEqual({ total: 184, reached: 173, waiting: 0, failed: 11, skipped: 0, excluded: 0 });
    const lacking = { outcome: 'failed', reason_code: 'missing_value', reason_params: { name: 'street' }, people: 11 };
    const people = { ...own, unreached: [lacking] };

    expect((await get(`/api/jobs/${job}`)).people).toEqual(people);
    for (const path of ['/api/jobs', '/api/jobs?view=summary', `/api/reminders/${id}/runs`])
      expect((await get(path)).data.map((one: CountedJob) => one.people)).toEqual([people]);
    expect((await get('/api/reminders?view=summary')).data[0].last_run).toMatchObject({ id: job, people });
    expect((await get('/api/dashboard/day')).failures.latest).toMatchObject([{ job_id: job, people }]);

    const file = await fetch(`${cuebird.url}/api/jobs/export?workspace=${workspace}`, {
      headers: { cookie: dana.cookie },
    });
    const [head = '', line = ''] = (await file.text()).replace('\uFEFF', '').trim().split('\r\n');
    const cells = Object.fromEntries(head.split(',').map((name, at) => [name, line.split(',')[at]]));
    expect(cells).toMatchObject({
      People: '184',
      Reached: '173',
      'People failed': '11',
      'People skipped': '0',
      'People left out': '0',
      'People waiting': '0',
      'Not reached': '11 lack Street',
      Outcome: 'partly sent',
    });
    const { rows } = await owner.query<{ body: string }>(
      'select body from webhook_activities where workspace_id = $1',
      [workspace],
    );
    expect(rows.map((row) => JSON.parse(row.body).data.people)).toEqual([people]);
  });

  it('leave out whom the message was not for, in every answer, file and activity', async () => {
    const body = { url: 'https://hooks.example.com/', activity_types: ['job.completed'] };
    await dana.call('POST', '/api/webhooks', { workspace, body });
    const skipped = { status: 'skipped', reason_code: 'person_skipped' } as const;
    const until = { until: '2098-01-01' };
    const paused = { status: 'skipped', reason_code: 'person_paused', reason_params: until } as const;
    const job = await insertRun('completed', [accepted, accepted, { email: skipped, sms: skipped }, { email: paused }]);
    const people = { total: 2, reached: 2, waiting: 0, failed: 0, skipped: 0, excluded: 2, unreached: [] };
    expect(await peopleInLedger(owner, job)).toMatchObject({ total: 2, excluded: 2 });
    expect((await get(`/api/jobs/${job}`)).people).toEqual(people);
    expect((await get('/api/jobs')).data.map((one: CountedJob) => one.people)).toEqual([people]);
    expect((await get('/api/analytics')).people).toEqual({ reached: 2, missed: 0 });
    const { rows } = await owner.query<{ body: string }>(
      'select body from webhook_activities where workspace_id = $1',
      [workspace],
    );
    expect(rows.map((row) => JSON.parse(row.body).data.people)).toEqual([people]);
    expect([reachedText(people), ...unreachedTexts(people)]).toEqual(['2 of 2 people', '2 left out']);
  });

  it('are once each, over however many channels, and the last channel decides about those who were not reached', async () => {
    const skippedLast: Lines = {
      email: { status: 'failed', reason_code: 'mailbox_full' },
      sms: { status: 'skipped', reason_code: 'suppressed' },
    };
    const failedLast: Lines = {
      email: { status: 'skipped', reason_code: 'suppressed' },
      sms: { status: 'failed', reason_code: 'no_such_number' },
    };
    const waiting: Lines = { email: { status: 'failed', reason_code: 'no_such_address' }, sms: { status: 'waiting' } };
    const job = await insertRun('pending', [accepted, onBoth, fellBack, lacksStreet, skippedLast, failedLast, waiting]);
    const { people } = await get(`/api/jobs/${job}`);
    expect(people).toMatchObject(await peopleInLedger(owner, job));
    expect(people).toEqual({
      total: 7,
      reached: 3,
      waiting: 1,
      failed: 2,
      skipped: 1,
      excluded: 0,
      unreached: [
        { outcome: 'failed', reason_code: 'missing_value', reason_params: { name: 'street' }, people: 1 },
        { outcome: 'failed', reason_code: 'no_such_number', reason_params: null, people: 1 },
        { outcome: 'skipped', reason_code: 'suppressed', reason_params: null, people: 1 },
      ],
    });
  });

  it('of a run of more than a thousand messages are counted on its page, and not in a list', async () => {
    const job = await insertRun(
      'completed',
      Array.from({ length: 501 }, () => onBoth),
    );
    expect((await get('/api/jobs')).data[0].people).toBeNull();
    expect((await get(`/api/jobs/${job}`)).people).toMatchObject({ total: 501, reached: 501, unreached: [] });
  });

  it('keep the ten most frequent reasons', async () => {
    const lacks = (name: string): Lines => ({
      email: { status: 'failed', reason_code: 'missing_value', reason_params: { name } },
    });
    const people = Array.from({ length: 12 }, (_, n) => Array.from({ length: n + 1 }, () => lacks(`v${n}`))).flat();
    const job = await insertRun('failed', people);
    const { unreached } = (await get(`/api/jobs/${job}`)).people;
    expect(unreached.map((group: { people: number }) => group.people)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  });
});
