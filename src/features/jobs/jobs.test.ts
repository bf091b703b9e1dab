import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type JobStatus, jobStatuses } from '#contract/job-states.ts';
import type { Job } from '#contract/jobs.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('the list of jobs', () => {
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

  const get = async (path: string) => (await dana.call('GET', path, { workspace })).json;

  /** Inserts jobs whose time is too far off for the engine to claim them during the test. */
  async function insertJobs(rows: { name: string; status?: JobStatus; at?: string; created?: string }[]) {
    const { rows: made } = await database.query<{ id: string }>(
      `with made as (
         insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, claim_id, paused_at, created_at)
         select $1, u.name, 'api_notification', u.status, u.at, '2099-01-01Z', case u.status when 'running' then uuidv7() end,
                case u.status when 'paused' then now() end, u.created
           from unnest($2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[]) as u (name, status, at, created)
         returning id, claim_id
       ), claimed as (
         insert into claims (id, worker, lease_until, job_ids, begun)
         select claim_id, 'another', '2099-01-01Z', array[id], '[]' from made where claim_id is not null
       )
       select id from made`,
      [
        workspace,
        rows.map((row) => row.name),
        rows.map((row) => row.status ?? 'pending'),
        rows.map((row) => row.at ?? '2099-01-01T09:00:00Z'),
        rows.map((row) => row.created ?? '2026-01-01T00:00:00Z'),
      ],
    );
    return made.map((row) => row.id);
  }

  const namesOf = (page: { data: Job[] }) => page.data.map((job) => job.name);

  /** Reads all pages in order. */
  async function walk(path: string): Promise<{ ids: string[]; pages: number }> {
    const ids: string[] = [];
    let cursor: string | null = '';
    let pages = 0;
    while (cursor !== null) {
      const page: { data: { id: string }[]; next_cursor: string | null } = await get(
        `${path}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      ids.push(...page.data.map((row) => row.id));
      cursor = page.next_cursor;
      pages += 1;
    }
    return { ids, pages };
  }

  describe('read page by page', () => {
    // Both equal instants and instants that differ by less than a millisecond.
    const created = (index: number) => `2026-01-01T00:00:00.${String(100_000 + Math.floor(index / 3) * 250)}Z`;

    it('contains each of 120 jobs once, newest first', async () => {
      await insertJobs(Array.from({ length: 120 }, (_, index) => ({ name: `Job ${index}`, created: created(index) })));
      const expected = await database.query<{ id: string }>(
        'select id from jobs where workspace_id = $1 order by id desc',
        [workspace],
      );
      for (const limit of [7, 40, 60, 119, 120]) {
        const { ids, pages } = await walk(`/api/jobs?limit=${limit}`);
        expect(ids).toEqual(expected.rows.map((row) => row.id));
        expect(pages).toBe(Math.ceil(120 / limit));
      }
    });

    it('contains each of 60 jobs that lie ahead once, soonest first', async () => {
      // Several at one time, and times that differ by less than a millisecond.
      const at = (index: number) => `2099-01-01T09:00:00.${String(100_000 + ((index * 7) % 20) * 250)}Z`;
      await insertJobs(Array.from({ length: 60 }, (_, index) => ({ name: `Job ${index}`, at: at(index) })));
      const expected = await database.query<{ id: string }>(
        'select id from jobs where workspace_id = $1 order by scheduled_for, id',
        [workspace],
      );
      for (const limit of [7, 30, 60])
        for (const more of ['status=pending', 'status=pending&view=summary', 'archived=true'])
          expect((await walk(`/api/jobs?limit=${limit}&sort=soonest&${more}`)).ids).toEqual(
            expected.rows.map((row) => row.id),
          );
    });

    it('neither omits nor repeats a job while others are added', async () => {
      const ids = await insertJobs(Array.from({ length: 20 }, (_, index) => ({ name: `Job ${index}` })));
      const first = await get('/api/jobs?limit=10');
      await insertJobs(Array.from({ length: 5 }, () => ({ name: 'Late', created: '2026-06-01T00:00:00Z' })));
      const second = await get(`/api/jobs?limit=10&cursor=${first.next_cursor}`);
      const seen = [...first.data, ...second.data].map((job: Job) => job.id);
      expect(seen.toSorted()).toEqual(ids.toSorted());
      expect(second.next_cursor).toBeNull();
    });

    it('contains each of 120 deliveries once when one statement inserted them all', async () => {
      const [job] = await insertJobs([{ name: 'Mailing' }]);
      await database.query(
        `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, created_at)
         select $1, $2, '2099-01-01T09:00:00Z', 'email', n || '@example.com', 'queued', '2026-01-01T00:00:00.123456Z'
           from generate_series(1, 120) n`,
        [workspace, job],
      );
      const { ids, pages } = await walk(`/api/jobs/${job}/deliveries?limit=50`);
      expect({ pages, rows: ids.length, different: new Set(ids).size }).toEqual({
        pages: 3,
        rows: 120,
        different: 120,
      });
    });

    it.each([1, 7, 100])(
      'contains each execution once and in order, on its own row or on its job’s (%i a page)',
      async (limit) => {
        const ids = await insertJobs(
          Array.from({ length: 40 }, (_, index) => ({
            name: 'Nightly',
            status: index % 4 === 0 ? ('failed' as const) : ('completed' as const),
            at: `2026-01-01T00:00:0${index % 5}Z`,
          })),
        );
        await database.query(
          `update jobs set started_at = scheduled_for, completed_at = scheduled_for,
                         run_outcome = case status when 'failed' then 'failed' else 'accepted' end
          where id = any ($1)`,
          [ids.slice(0, 20)],
        );
        await database.query(
          `insert into job_executions (workspace_id, job_id, status, started_at, completed_at)
         select workspace_id, id, status, scheduled_for, scheduled_for from jobs where id = any ($1)`,
          [ids.slice(20)],
        );
        await insertJobs([{ name: 'Later', at: '2098-01-01T09:00:00Z' }]);
        for (const [query, condition] of [
          ['', 'true'],
          ['&status=failed', "status = 'failed'"],
          ['&from=2026-01-01T00:00:01Z&to=2026-01-01T00:00:03Z', 'extract(second from listed_at) in (1, 2)'],
        ] as const) {
          const { rows } = await database.query<{ id: string }>(
            `select id from executions where workspace_id = $1 and ${condition} order by listed_at desc, id desc`,
            [workspace],
          );
          expect(rows.length).toBeGreaterThan(7);
          expect((await walk(`/api/job-executions?limit=${limit}${query}`)).ids).toEqual(rows.map(({ id }) => id));
        }
      },
    );

    it('contains the executions that started in a range, and not those that were only scheduled in it', async () => {
      const runs = [
        ['before', '00:00:10', '00:00:29.999'],
        ['first', '00:00:01', '00:00:30'],
        ['last', '00:00:02', '00:00:58.999'],
        ['after', '00:00:03', '00:00:59'],
        ['late', '00:00:40', '00:01:10'],
      ].map(([name = '', scheduled, started]) => ({
        name,
        status: 'completed' as const,
        at: `2026-01-01T${scheduled}Z`,
        started: `2026-01-01T${started}Z`,
      }));
      const ids = await insertJobs(runs);
      await database.query(
        `update jobs j set started_at = u.started, completed_at = u.started, run_outcome = 'accepted'
           from unnest($1::uuid[], $2::timestamptz[]) as u (id, started) where j.id = u.id`,
        [ids, runs.map(({ started }) => started)],
      );
      const { data } = await get('/api/job-executions?from=2026-01-01T00:00:30Z&to=2026-01-01T00:00:59Z');
      expect(data.map((run: { job: { name: string } }) => run.job.name)).toEqual(['last', 'first']);
    });

    it('contains an execution that began ahead, by a clock that was corrected since', async () => {
      const [done] = await insertJobs([{ name: 'Nightly', status: 'completed', at: '2026-01-01T09:00:00Z' }]);
      const { rows } = await database.query<{ id: string }>(
        `insert into job_executions (workspace_id, job_id, status, started_at, completed_at, duration_ms)
         values ($1, $2, 'completed', now() + interval '1 day', now() + interval '1 day', 1) returning id`,
        [workspace, done],
      );
      await insertJobs([{ name: 'Later', at: '2098-01-01T09:00:00Z' }]);
      expect((await walk('/api/job-executions?limit=10')).ids).toEqual([rows[0]?.id]);
    });

    it('contains each of 120 executions once', async () => {
      const [job, other] = await insertJobs([{ name: 'Nightly' }, { name: 'Other' }]);
      await database.query(
        `insert into job_executions (workspace_id, job_id, status, started_at)
         select $1, case when n <= 110 then $2::uuid else $3 end, 'completed', timestamptz '2026-01-01Z' + n / 3 * interval '0.0001 s'
           from generate_series(1, 120) n`,
        [workspace, job, other],
      );
      const all = await walk('/api/job-executions?limit=11');
      expect([all.ids.length, new Set(all.ids).size]).toEqual([120, 120]);
      const ofOne = await walk(`/api/job-executions?limit=25&job_id=${job}`);
      expect([ofOne.ids.length, new Set(ofOne.ids).size]).toEqual([110, 110]);
      const [newest] = (await get(`/api/job-executions?job_id=${other}`)).data;
      expect(newest).toEqual({
        id: expect.any(String),
        job_id: other,
        status: 'completed',
        started_at: '2026-01-01T00:00:00.004Z',
        completed_at: null,
        duration_ms: null,
        error_message: null,
        logs: {},
        job: { name: 'Other', type: 'api_notification', workspace_id: workspace },
      });
    });
  });

  describe('filtered', () => {
    it.each(jobStatuses)('by the status %s', async (status) => {
      await insertJobs(jobStatuses.map((each) => ({ name: each, status: each })));
      expect(namesOf(await get(`/api/jobs?status=${status}`))).toEqual([status]);
    });

    it('by a part of the name in any case, without wildcards', async () => {
      await insertJobs([
        { name: 'Rent 100%' },
        { name: 'Rent 100x' },
        { name: 'WATER_meter' },
        { name: 'Water meter' },
      ]);
      const search = async (text: string) =>
        namesOf(await get(`/api/jobs?search=${encodeURIComponent(text)}`)).toSorted();
      expect(await search('rent')).toEqual(['Rent 100%', 'Rent 100x']);
      expect(await search('100%')).toEqual(['Rent 100%']);
      expect(await search('water_')).toEqual(['WATER_meter']);
      expect(await search('\\')).toEqual([]);
    });

    it('by a time range that includes its start and excludes its end', async () => {
      const hours = ['08:59:59', '09:00:00', '09:59:59', '10:00:00'];
      await insertJobs(hours.map((hour) => ({ name: hour, at: `2099-03-01T${hour}Z` })));
      const window = 'from=2099-03-01T10:00:00%2B01:00&to=2099-03-01T10:00:00Z';
      expect(namesOf(await get(`/api/jobs?${window}`)).toSorted()).toEqual(['09:00:00', '09:59:59']);
      expect((await get(`/api/jobs/counts?${window}`)).total).toBe(2);
    });

    it('by their reminder', async () => {
      const body = { ...sampleReminder, status: 'active' };
      const one = (await dana.call('POST', '/api/reminders', { workspace, body })).json;
      await dana.call('POST', '/api/reminders', { workspace, body });
      const { data } = await get(`/api/jobs?reminder_id=${one.id}`);
      expect(data).toMatchObject([{ reminder_id: one.id, name: one.name, scheduled_for: one.next_run_at }]);
    });

    it('by several filters at once, page by page', async () => {
      await insertJobs(
        Array.from({ length: 30 }, (_, index) => ({
          name: index % 2 === 0 ? 'Rent' : 'Water',
          status: index % 3 === 0 ? ('failed' as const) : ('completed' as const),
        })),
      );
      const { ids, pages } = await walk('/api/jobs?status=failed&search=rent&limit=2');
      expect({ rows: new Set(ids).size, pages }).toEqual({ rows: 5, pages: 3 });
    });
  });

  it('counts each status and all of them', async () => {
    const rows = jobStatuses.flatMap((status, index) =>
      Array.from({ length: index + 1 }, () => ({ name: 'x', status })),
    );
    await insertJobs(rows);
    expect(await get('/api/jobs/counts')).toEqual({
      pending: 1,
      running: 2,
      completed: 3,
      failed: 4,
      cancelled: 5,
      paused: 6,
      total: 21,
    });
  });

  describe('with runs', () => {
    beforeEach(async () => {
      const body = { ...sampleReminder, status: 'active' };
      const { id } = (await dana.call('POST', '/api/reminders', { workspace, body })).json;
      reminder = id;
      const [mailed = '', posted = ''] = await insertJobs([
        { name: 'Rent', status: 'completed' },
        { name: '=Water', status: 'failed' },
      ]);
      await database.query('update jobs set reminder_id = $2 where id = $1', [mailed, reminder]);
      await database.query(
        `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status)
         values ($1, $2, '2099-01-01T09:00:00Z', 'email', 'a@example.com', 'accepted'),
                ($1, $3, '2099-01-01T09:00:00Z', 'webhook', 'https://example.com', 'failed')`,
        [workspace, mailed, posted],
      );
      await database.query(
        `insert into job_executions (workspace_id, job_id, status, started_at, duration_ms)
         values ($1, $2, 'completed', '2026-03-01T09:00:00Z', 400), ($1, $3, 'failed', '2026-03-02T09:00:00Z', 500)`,
        [workspace, mailed, posted],
      );
    });
    let reminder: string;

    const linesOf = async (path: string) => {
      const answer = await fetch(`${cuebird.url}${path}&workspace=${workspace}`, { headers: { cookie: dana.cookie } });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
      return (await answer.text()).replace('\uFEFF', '').trim().split('\r\n');
    };

    it('finds them by status, time, channel and reminder', async () => {
      const namesFor = async (query: string) =>
        (await get(`/api/job-executions?${query}`)).data.map(({ job }: { job: { name: string } }) => job.name);
      expect(await namesFor('')).toEqual(['=Water', 'Rent']);
      expect(await namesFor('status=failed')).toEqual(['=Water']);
      expect(await namesFor('status=completed')).toEqual(['Rent']);
      expect(await namesFor('from=2026-03-01T09:00:00Z&to=2026-03-02T09:00:00Z')).toEqual(['Rent']);
      expect(await namesFor('channel=email')).toEqual(['Rent']);
      expect(await namesFor('channel=sms')).toEqual([]);
      expect(await namesFor(`reminder_id=${reminder}&channel=email&status=completed`)).toEqual(['Rent']);
    });

    it('exports those that match as CSV, and no formula among them', async () => {
      const [head, ...lines] = await linesOf('/api/job-executions/export?status=failed');
      expect(head).toMatch(/^Job,Job id,Type,Execution id,Status/);
      expect(lines).toEqual([expect.stringMatching(/^'=Water,.*,failed,2026-03-02T09:00:00.000Z,,500,$/)]);
    });

    it('exports the jobs that match as CSV, with what became of their recipients', async () => {
      const [head, ...lines] = await linesOf('/api/jobs/export?status=failed');
      expect(head).toMatch(
        /^Name,Job id,Type,Status,.*,Recipients,Sent,Failed,Waiting,Skipped,Message,Reason code,People,Reached,People failed,People skipped,People left out,People waiting,Not reached,Outcome$/,
      );
      expect(lines).toEqual([expect.stringMatching(/^'=Water,.*,failed,.*,1,0,1,0,0,,,1,0,1,0,0,0,1 failed,failed$/)]);
      await database.query(
        `update jobs set status = 'cancelled', error_message = 'The reminder was edited', reason_code = 'reminder_edited'
          where workspace_id = $1 and status = 'failed'`,
        [workspace],
      );
      const [, cancelled] = await linesOf('/api/jobs/export?status=cancelled');
      expect(cancelled).toMatch(/,The reminder was edited,reminder_edited,1,0,1,0,0,0,1 failed,cancelled$/);
      await insertJobs(Array.from({ length: 201 }, () => ({ name: 'Many' })));
      expect(await linesOf('/api/jobs/export?search=many')).toHaveLength(202);
    });
  });

  it('counts no test, unless it is asked for, and lists tests on their own', async () => {
    await insertJobs([
      { name: 'Rent', status: 'failed' },
      { name: 'Water', status: 'completed' },
    ]);
    const tests = await insertJobs([
      { name: 'Test: Rent', status: 'failed' },
      { name: 'Test: Rent', status: 'pending' },
      { name: 'Test: Rent', status: 'completed' },
    ]);
    await database.query("update jobs set type = 'test_reminder' where id = any ($1::uuid[])", [tests]);
    expect(await get('/api/jobs/counts')).toMatchObject({ total: 2, pending: 0, completed: 1, failed: 1 });
    expect(await get('/api/jobs/counts?tests=true')).toMatchObject({ total: 5, pending: 1, completed: 2, failed: 2 });
    expect(await get('/api/jobs/counts?tests=only')).toMatchObject({ total: 3, pending: 1, completed: 1, failed: 1 });
    const range = 'from=2099-01-01T00:00:00Z';
    expect(await get(`/api/jobs/counts?${range}`)).toMatchObject({ total: 2, failed: 1 });
    expect((await get('/api/jobs')).data).toHaveLength(5);
    expect(namesOf(await get('/api/jobs?tests=false'))).toEqual(['Water', 'Rent']);
    expect((await walk('/api/jobs?tests=only&limit=2')).ids).toEqual(tests.toReversed());
  });

  describe('with archived jobs', () => {
    const archive = (ids: string[]) =>
      database.query("update jobs set archived_at = '2026-02-01T00:00:00Z' where id = any ($1::uuid[])", [ids]);

    it('omits them from its pages and counts by default', async () => {
      const ids = await insertJobs(
        Array.from({ length: 60 }, (_, index) => ({
          name: `Job ${index}`,
          status: index % 4 === 0 ? ('failed' as const) : ('completed' as const),
        })),
      );
      const archived = ids.filter((_, index) => index % 4 === 1);
      await archive(archived);
      const newestFirst = ids.toSorted().toReversed();
      for (const limit of [7, 45, 60]) {
        const current = newestFirst.filter((id) => !archived.includes(id));
        expect((await walk(`/api/jobs?limit=${limit}`)).ids).toEqual(current);
        expect((await walk(`/api/jobs?limit=${limit}&archived=false`)).ids).toEqual(current);
        expect((await walk(`/api/jobs?limit=${limit}&archived=true`)).ids).toEqual(newestFirst);
        const only = newestFirst.filter((id) => archived.includes(id));
        expect((await walk(`/api/jobs?limit=${limit}&archived=only`)).ids).toEqual(only);
      }
      expect((await walk('/api/jobs?limit=4&archived=true&status=completed')).ids).toHaveLength(45);
      expect(await get('/api/jobs/counts')).toMatchObject({ total: 45, completed: 30, failed: 15 });
      expect(await get('/api/jobs/counts?archived=true')).toMatchObject({ total: 60, completed: 45, failed: 15 });
      expect(await get('/api/jobs/counts?archived=only')).toMatchObject({ total: 15, completed: 15, failed: 0 });
      const past = 'archived=only&to=2000-01-01T00:00:00Z';
      expect(await get(`/api/jobs/counts?${past}`)).toMatchObject({ total: 0, completed: 0 });
    });

    it('shows each of them with the time of archiving', async () => {
      const [id = ''] = await insertJobs([{ name: 'Rent', status: 'completed' }]);
      expect((await get(`/api/jobs/${id}`)).archived_at).toBeNull();
      await archive([id]);
      expect((await get(`/api/jobs/${id}`)).archived_at).toBe('2026-02-01T00:00:00.000Z');
      expect((await dana.call('GET', `/api/jobs/${id}/deliveries`, { workspace })).status).toBe(200);
    });

    it('refuses a filter other than true, false and only', async () => {
      const refused = await dana.call('GET', '/api/jobs?archived=maybe', { workspace });
      expect(refused.status).toBe(400);
      expect(refused.json.error.fields).toEqual([{ path: 'archived', message: 'must be true, false or only' }]);
    });
  });

  it('shows a single job, and answers 404 for an unknown one', async () => {
    const [id] = await insertJobs([{ name: 'Rent' }]);
    expect(await get(`/api/jobs/${id}`)).toEqual({
      id,
      workspace_id: workspace,
      reminder_id: null,
      name: 'Rent',
      type: 'api_notification',
      status: 'pending',
      scheduled_for: '2099-01-01T09:00:00.000Z',
      run_at: '2099-01-01T00:00:00.000Z',
      attempts: 0,
      max_attempts: expect.any(Number),
      started_at: null,
      completed_at: null,
      archived_at: null,
      error_message: null,
      reason_code: null,
      recipients: { total: 0, sent: 0, waiting: 0, problems: 0, skipped: 0 },
      people: { total: 0, reached: 0, waiting: 0, failed: 0, skipped: 0, excluded: 0, unreached: [] },
      payload: {},
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: expect.any(String),
    });
    const gone = await dana.call('GET', '/api/jobs/00000000-0000-4000-8000-000000000000/deliveries', { workspace });
    expect({ status: gone.status, message: gone.json.error.message }).toEqual({
      status: 404,
      message: 'There is no such job',
    });
  });
});
