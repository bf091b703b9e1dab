import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JobStatus } from '#contract/job-states.ts';
import type { CountedJob } from '#contract/jobs.ts';
import type { DeliveryStatus } from '#contract/deliveries.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

type Line = { recipient: string; status: DeliveryStatus };

describe('the recipients of a run', () => {
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

  async function insertRun(status: JobStatus, deliveries: Partial<Record<DeliveryStatus, number>>): Promise<string> {
    const { rows } = await database.query<{ id: string }>(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at)
       values ($1, 'Rent', 'api_notification', $2, '2026-03-02T09:00:00Z', '2099-01-01Z', now()) returning id`,
      [workspace, status],
    );
    const id = rows[0]?.id ?? '';
    for (const [each, count] of Object.entries(deliveries))
      await database.query(
        `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, attempts, created_at)
         select $1, $2, '2026-03-02T09:00:00Z', 'email', $3 || n || '@example.com', 'Ännie ' || $3 || ' ' || n, $3, 1, now()
           from generate_series(1, $4::int) n`,
        [workspace, id, each, count],
      );
    return id;
  }

  /** Reads all pages in order. */
  async function walk(id: string, query: string): Promise<Line[]> {
    const lines: Line[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { data: Line[]; next_cursor: string | null } = await get(
        `/api/jobs/${id}/deliveries?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      lines.push(...page.data);
      cursor = page.next_cursor;
    }
    return lines;
  }

  const mixed = { accepted: 4, delivered: 2, failed: 2, unknown: 1, waiting: 2, queued: 1, skipped: 3 } as const;

  it('are counted by what became of them, in the job and in the list', async () => {
    const id = await insertRun('failed', mixed);
    const counts = { total: 15, sent: 6, waiting: 3, problems: 3, skipped: 3 };
    expect((await get(`/api/jobs/${id}`)).recipients).toEqual(counts);
    for (const view of ['', '?view=summary'])
      expect((await get(`/api/jobs${view}`)).data.map((job: CountedJob) => job.recipients)).toEqual([counts]);
  });

  it('of a run of more than a thousand are told in the list by its last run’s logs, and not before it has ended', async () => {
    const [ended, waiting] = [
      await insertRun('failed', { accepted: 1_001, failed: 2 }),
      await insertRun('pending', { accepted: 1_001, waiting: 1 }),
    ];
    await database.query(
      `insert into job_executions (workspace_id, job_id, status, started_at, logs)
       select $1, u.job, 'failed', u.at::timestamptz, u.logs::jsonb
         from (values ($2::uuid, '2026-03-02T09:00:00Z', '{"attempt": 1, "accepted": 1000}'),
                      ($2, '2026-03-02T09:05:00Z', '{"attempt": 2, "accepted": 1001, "failed": 2}')) as u (job, at, logs)`,
      [workspace, ended],
    );
    const { data } = await get('/api/jobs?view=summary');
    const of = (id: string) => data.find((job: CountedJob) => job.id === id)?.recipients;
    expect(of(ended)).toEqual({ total: 1_003, sent: 1_001, waiting: 0, problems: 2, skipped: 0 });
    expect(of(waiting)).toBeNull();
    expect((await get(`/api/jobs/${waiting}`)).recipients).toMatchObject({ total: 1_002, waiting: 1 });
  });

  it.each([1, 4, 50])('are listed with problems first, each on exactly one page (of %i)', async (limit) => {
    const id = await insertRun('failed', mixed);
    const lines = await walk(id, `order=problems_first&limit=${limit}`);
    expect(new Set(lines.map((line) => line.recipient)).size).toBe(15);
    const groups = lines.map(({ status }) => {
      if (status === 'failed' || status === 'unknown') return 'problems';
      if (status === 'waiting' || status === 'queued') return 'waiting';
      return status === 'skipped' ? 'skipped' : 'sent';
    });
    expect(groups).toEqual([
      ...Array.from({ length: 3 }, () => 'problems'),
      ...Array.from({ length: 3 }, () => 'waiting'),
      ...Array.from({ length: 3 }, () => 'skipped'),
      ...Array.from({ length: 6 }, () => 'sent'),
    ]);
  });

  it.each([
    ['problems', 3],
    ['waiting', 3],
    ['skipped', 3],
    ['sent', 6],
  ])('are filtered by %s', async (group, count) => {
    const id = await insertRun('failed', mixed);
    expect(await walk(id, `group=${group}&limit=2`)).toHaveLength(count);
  });

  it('are found by a part of the name or the address in any case, without wildcards', async () => {
    const id = await insertRun('failed', { failed: 2, accepted: 2 });
    const found = async (text: string) =>
      (await walk(id, `order=problems_first&search=${encodeURIComponent(text)}`)).map((line) => line.recipient);
    expect(await found('FAILED1@')).toEqual(['failed1@example.com']);
    expect(await found('ännie accepted 2')).toEqual(['accepted2@example.com']);
    expect(await found('failed_@')).toEqual([]);
  });

  it('refuse a group that there is not, and a cursor of another order', async () => {
    const id = await insertRun('failed', { accepted: 3 });
    const refused = await dana.call('GET', `/api/jobs/${id}/deliveries?group=all`, { workspace });
    expect([refused.status, refused.json.error.fields[0].path]).toEqual([400, 'group']);
    const { next_cursor: cursor } = await get(`/api/jobs/${id}/deliveries?limit=1`);
    const mixedUp = await dana.call('GET', `/api/jobs/${id}/deliveries?order=problems_first&cursor=${cursor}`, {
      workspace,
    });
    expect([mixedUp.status, mixedUp.json.error.fields]).toEqual([
      400,
      [{ path: 'cursor', message: 'is not a cursor of this list' }],
    ]);
  });
});
