import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JobType } from '#contract/job-types.ts';
import type { JobSummary } from '#contract/jobs.ts';
import type { JobStatus } from '#contract/job-states.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('the runs of a reminder', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  let reminder: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    reminder = await create({});
  });
  afterAll(() => cuebird.stop());

  const get = async (path: string) => (await dana.call('GET', path, { workspace })).json;
  const create = async (more: object): Promise<string> =>
    (await dana.call('POST', '/api/reminders', { workspace, body: { ...sampleReminder, ...more } })).json.id;

  type Run = { status?: JobStatus; type?: JobType; sent?: number; failed?: number; hasBegun?: boolean };

  async function insertRun(
    at: string,
    { status = 'completed', type = 'reminder', sent = 0, failed = 0, hasBegun = true }: Run,
  ) {
    const { rows } = await database.query<{ id: string }>(
      `insert into jobs (workspace_id, reminder_id, name, type, status, scheduled_for, run_at, started_at, paused_at)
       values ($1, $2, 'Rent', $3, $4, $5, '2099-01-01Z', case when $6 then now() end, case $4 when 'paused' then now() end) returning id`,
      [workspace, reminder, type, status, at, hasBegun],
    );
    await database.query(
      `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status)
       select $1, $2, $3, 'email', n || '@example.com', case when n <= $4::int then 'accepted' else 'failed' end
         from generate_series(1, $4::int + $5::int) n`,
      [workspace, rows[0]?.id, at, sent, failed],
    );
  }

  const runs = async (query = '') => {
    const { data, next_cursor: next } = await get(`/api/reminders/${reminder}/runs${query}`);
    return { days: data.map((run: JobSummary) => run.scheduled_for.slice(0, 10)), data, next };
  };
  const lastOf = async () =>
    (await get('/api/reminders?view=summary')).data.find((each: { id: string }) => each.id === reminder)?.last_run;

  it('are those that have begun, newest first and page by page, without tests, each with its counts', async () => {
    await insertRun('2026-03-01T09:00:00Z', { sent: 190, failed: 2, status: 'failed' });
    await insertRun('2026-04-01T09:00:00Z', { sent: 192 });
    await insertRun('2026-04-15T09:00:00Z', { type: 'test_reminder', sent: 1 });
    await insertRun('2026-05-01T09:00:00Z', { sent: 1, failed: 1, status: 'pending' });
    await insertRun('2099-06-01T09:00:00Z', { status: 'pending', hasBegun: false });
    await insertRun('2099-07-01T09:00:00Z', { status: 'paused', hasBegun: false });
    const first = await runs('?limit=2');
    expect(first.days).toEqual(['2026-05-01', '2026-04-01']);
    const second = await runs(`?limit=2&cursor=${first.next}`);
    expect([second.days, second.next]).toEqual([['2026-03-01'], null]);
    expect(second.data[0]).toMatchObject({
      status: 'failed',
      recipients: { total: 192, sent: 190, problems: 2, waiting: 0, skipped: 0 },
    });
  });

  it('of events are all of them, newest first', async () => {
    reminder = await create({ schedule_config: { type: 'event-based', eventTrigger: 'user_signup', timezone: 'UTC' } });
    await insertRun('2026-03-01T09:00:00Z', { type: 'event_reminder', sent: 1 });
    await insertRun('2026-03-02T09:00:00Z', { type: 'test_reminder', sent: 1 });
    await insertRun('2099-03-03T09:00:00Z', { type: 'event_reminder', status: 'pending', hasBegun: false });
    const first = await runs('?limit=1');
    expect(first.days).toEqual(['2099-03-03']);
    expect((await runs(`?limit=1&cursor=${first.next}`)).days).toEqual(['2026-03-01']);
    expect(await lastOf()).toMatchObject({ scheduled_for: '2026-03-01T09:00:00.000Z', recipients: { sent: 1 } });
  });

  it('end with the last one in the list of reminders', async () => {
    expect(await lastOf()).toBeNull();
    await insertRun('2026-03-01T09:00:00Z', { sent: 2 });
    await insertRun('2026-04-01T09:00:00Z', { sent: 1, failed: 1, status: 'failed' });
    await insertRun('2099-05-01T09:00:00Z', { status: 'pending', hasBegun: false });
    expect(await lastOf()).toMatchObject({
      id: expect.any(String),
      status: 'failed',
      scheduled_for: '2026-04-01T09:00:00.000Z',
      recipients: { total: 2, sent: 1, problems: 1 },
    });
  });

  it('tell until when the reminder said something else', async () => {
    await insertRun('2026-03-01T09:00:00Z', { sent: 1 });
    await insertRun('2026-04-01T09:00:00Z', { sent: 1 });
    const edit = (message: string) =>
      dana.call('PUT', `/api/reminders/${reminder}`, {
        workspace,
        body: { ...sampleReminder, content: { ...sampleReminder.content, message } },
      });
    await edit('Never sent');
    await edit('Now');
    expect((await get(`/api/reminders/${reminder}/texts`)).data).toEqual([
      {
        revision: 1,
        subject: sampleReminder.content.subject,
        message: sampleReminder.content.message,
        last_sent_at: '2026-04-01T09:00:00.000Z',
      },
    ]);
  });

  it('of a neighbour are not there', async () => {
    const neighbour = await dana.createWorkspace('Next door');
    for (const part of ['runs', 'texts'])
      expect((await dana.call('GET', `/api/reminders/${reminder}/${part}`, { workspace: neighbour })).status).toBe(404);
  });
});
