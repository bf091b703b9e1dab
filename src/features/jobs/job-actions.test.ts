import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type JobStatus, jobStatuses } from '#contract/job-states.ts';
import type { Job } from '#contract/jobs.ts';
import { type JobAction, isOffered, jobActions } from '#domain/job-state.ts';
import { untilFound } from '#testing/changes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

const actions = Object.keys(jobActions) as JobAction[];

describe('an action on a job', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const act = (id: string, action: JobAction) => dana.call('POST', `/api/jobs/${id}/${action}`, { workspace });
  const jobsOf = async (reminder: string): Promise<Job[]> =>
    (await dana.call('GET', `/api/jobs?reminder_id=${reminder}`, { workspace })).json.data;

  async function insertJob(row: {
    status: JobStatus;
    attempts?: number;
    message?: string;
    reminder?: string;
    type?: string;
  }) {
    const { rows } = await database.query<{ id: string }>(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, attempts, error_message, completed_at, claim_id, paused_at, reminder_id)
       values ($1, 'Rent', $2, $3, '2098-01-01Z', '2099-01-01Z', $4, $5, case when $3 in ('failed', 'completed', 'cancelled') then now() end,
               case $3 when 'running' then uuidv7() end, case $3 when 'paused' then now() end, $6)
       returning id`,
      [
        workspace,
        row.type ?? 'api_notification',
        row.status,
        row.attempts ?? 0,
        row.message ?? null,
        row.reminder ?? null,
      ],
    );
    return rows[0]?.id ?? '';
  }

  async function createReminder(changes: object = {}) {
    const body = {
      name: 'Rent',
      status: 'active',
      schedule_config: { type: 'scheduled', scheduleType: 'daily', startDate: '2098-05-01T09:00:00', timezone: 'UTC' },
      content: { subject: 'Rent is due', message: 'Today', recipients: ['erin@example.com', 'finn@example.com'] },
      metadata: { channels: ['email'], priority: 'medium' },
      ...changes,
    };
    const created = await dana.call('POST', '/api/reminders', { workspace, body });
    expect(created.status).toBe(201);
    return created.json.id as string;
  }

  const table = actions.flatMap((action) =>
    jobStatuses.map((status) => ({
      action,
      status,
      becomes: isOffered(action, { status, type: 'reminder' }) ? jobActions[action].to : 'refused',
    })),
  );

  it.each(table)('$action of a $status job: $becomes', async ({ action, status, becomes }) => {
    const id = await insertJob({ status });
    const answer = await act(id, action);
    if (becomes === 'refused') {
      expect(answer.status).toBe(409);
      expect(answer.json.error.message).toMatch(
        new RegExp(`^A ${status} job cannot be (paused|resumed|retried|cancelled)$`),
      );
      expect((await dana.call('GET', `/api/jobs/${id}`, { workspace })).json.status).toBe(status);
    } else {
      expect(answer.status).toBe(200);
      expect(answer.json).toMatchObject({ id, status: becomes });
    }
  });

  it('retry returns a failed job to pending with zero attempts and no error, due now', async () => {
    const id = await insertJob({ status: 'failed', attempts: 8, message: '2 of 2 failed' });
    const before = Date.now();
    const { json } = await act(id, 'retry');
    expect(json).toMatchObject({ status: 'pending', attempts: 0, error_message: null, completed_at: null });
    expect(Math.abs(Date.parse(json.run_at) - before)).toBeLessThan(10_000);
  });

  it('retry keeps the run on the row of the job, under its address', async () => {
    const id = await insertJob({ status: 'failed', attempts: 1, message: 'HTTP 404' });
    await database.query(
      `update jobs set scheduled_for = '2026-01-01T09:00:00Z', started_at = '2026-01-01T09:00:01Z', completed_at = '2026-01-01T09:00:03Z',
                       run_outcome = 'failed'
        where id = $1`,
      [id],
    );
    const open = async () => (await dana.call('GET', `/api/job-executions/${id}`, { workspace })).json;
    const run = await open();
    expect(run).toMatchObject({
      id,
      job_id: id,
      status: 'failed',
      started_at: '2026-01-01T09:00:01.000Z',
      completed_at: '2026-01-01T09:00:03.000Z',
      duration_ms: 2_000,
      error_message: 'HTTP 404',
      logs: { attempt: 1, attempted: 1, failed: 1 },
    });
    await act(id, 'retry');
    expect(await open()).toEqual(run);
    const { json } = await dana.call('GET', `/api/job-executions?job_id=${id}`, { workspace });
    expect(json.data.filter((execution: { id: string }) => execution.id === id)).toEqual([run]);
  });

  it('retry of a job with an unreadable payload cancels it with the reason', async () => {
    const id = await insertJob({ status: 'failed' });
    await act(id, 'retry');
    const ended = await untilFound(cuebird.databaseUrl, async () => {
      const { json } = await dana.call('GET', `/api/jobs/${id}`, { workspace });
      return json.status === 'pending' || json.status === 'running' ? null : json;
    });
    expect(ended).toMatchObject({ status: 'cancelled', reason_code: 'unreadable_job' });
  });

  it('retry sends to the recipients that failed, and to no recipient twice', async () => {
    const reminder = await createReminder();
    const id = await insertJob({ status: 'failed', attempts: 1, message: '1 of 2 failed', reminder, type: 'reminder' });
    await database.query(
      `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts, completed_at)
       values ($1, $2, '2098-01-01Z', 'email', 'erin@example.com', 'accepted', 1, now()),
              ($1, $2, '2098-01-01Z', 'email', 'finn@example.com', 'failed', 1, now())`,
      [workspace, id],
    );
    await act(id, 'retry');
    await untilFound(cuebird.databaseUrl, async () => {
      const { json } = await dana.call('GET', `/api/jobs/${id}`, { workspace });
      return json.status === 'completed' ? json : null;
    });
    const inbox = await dana.call('GET', '/api/inbox', { workspace });
    expect(inbox.json.data.map((message: { recipient: string }) => message.recipient)).toEqual(['finn@example.com']);
    const deliveries = await dana.call('GET', `/api/jobs/${id}/deliveries`, { workspace });
    expect(deliveries.json.data.map((delivery: { status: string }) => delivery.status)).toEqual([
      'accepted',
      'accepted',
    ]);
  });

  it('resume sends a job whose time passed during the pause now, and keeps the time of a later one', async () => {
    const id = await insertJob({ status: 'paused' });
    expect((await act(id, 'resume')).json.run_at).toBe('2099-01-01T00:00:00.000Z');
    const late = await insertJob({ status: 'paused' });
    await database.query("update jobs set run_at = '2020-01-01Z' where id = $1", [late]);
    expect(Date.parse((await act(late, 'resume')).json.run_at)).toBeGreaterThan(Date.now() - 10_000);
  });

  describe('cancel', () => {
    it('records who cancelled, and skips the waiting deliveries', async () => {
      const id = await insertJob({ status: 'pending' });
      await database.query(
        `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts)
         values ($1, $2, '2098-01-01Z', 'email', 'a@example.com', 'accepted', 1), ($1, $2, '2098-01-01Z', 'email', 'b@example.com', 'waiting', 1),
                ($1, $2, '2098-01-01Z', 'email', 'c@example.com', 'queued', 0)`,
        [workspace, id],
      );
      const { json } = await act(id, 'cancel');
      expect(json.error_message).toBe('Cancelled by a member of the workspace');
      expect(json.completed_at).not.toBeNull();
      const { rows } = await database.query(
        'select recipient, status, reason from deliveries where job_id = $1 order by 1',
        [id],
      );
      expect(rows).toEqual([
        { recipient: 'a@example.com', status: 'accepted', reason: null },
        { recipient: 'b@example.com', status: 'skipped', reason: json.error_message },
        { recipient: 'c@example.com', status: 'skipped', reason: json.error_message },
      ]);
    });

    it('schedules the next occurrence at once', async () => {
      const reminder = await createReminder();
      const [job] = await jobsOf(reminder);
      await act(job?.id ?? '', 'cancel');
      const jobs = await jobsOf(reminder);
      expect(jobs.map(({ status, scheduled_for: at }) => `${at} ${status}`).toSorted()).toEqual([
        '2098-05-01T09:00:00.000Z cancelled',
        '2098-05-02T09:00:00.000Z pending',
      ]);
      const { json } = await dana.call('GET', `/api/reminders/${reminder}`, { workspace });
      expect(json.next_run_at).toBe('2098-05-02T09:00:00.000Z');
    });

    it('of the next occurrence also cancels that one, and neither is scheduled again', async () => {
      const reminder = await createReminder();
      for (let day = 1; day <= 3; day += 1) {
        const job = (await jobsOf(reminder)).find(({ status }) => status === 'pending');
        expect(job?.scheduled_for).toBe(`2098-05-0${day}T09:00:00.000Z`);
        await act(job?.id ?? '', 'cancel');
      }
      expect(await jobsOf(reminder)).toHaveLength(4);
    });

    it('of the last occurrence schedules no other', async () => {
      const once = { type: 'scheduled', scheduleType: 'once', startDate: '2098-05-01T09:00:00', timezone: 'UTC' };
      const reminder = await createReminder({ schedule_config: once });
      const [job] = await jobsOf(reminder);
      await act(job?.id ?? '', 'cancel');
      expect((await jobsOf(reminder)).map(({ status }) => status)).toEqual(['cancelled']);
    });

    it('of a test schedules nothing and does not change its reminder', async () => {
      const reminder = await createReminder();
      const id = await insertJob({ status: 'pending', reminder, type: 'test_reminder' });
      await act(id, 'cancel');
      expect((await jobsOf(reminder)).filter(({ status }) => status === 'pending')).toHaveLength(1);
    });
  });

  it.each<[JobAction, JobAction]>([
    ['cancel', 'cancel'],
    ['pause', 'pause'],
    ['pause', 'cancel'],
  ])('of %s and %s at the same moment the second finds what the first has done', async (one, other) => {
    const reminder = await createReminder();
    const [job] = await jobsOf(reminder);
    const answers = await Promise.all([act(job?.id ?? '', one), act(job?.id ?? '', other)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect((await jobsOf(reminder)).filter(({ status }) => status === 'pending').length).toBeLessThanOrEqual(1);
  });
});
