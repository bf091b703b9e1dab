import { Kysely } from 'kysely';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { reminderSorts, reminderStates } from '#contract/reminders.ts';
import { lockJobsOf } from '#features/reminders/deletion.db.ts';
import { lockOpenJobs } from '#features/reminders/occurrence.db.ts';
import { findReminders } from '#features/reminders/reminder-lists.db.ts';
import { type Database, TenantDialect } from '#platform/database.ts';
import type { Schema } from '#platform/schema.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { openTables, type Tables } from '#testing/tables.ts';
import { type Asked, plansOf, readWhole } from '#testing/plans.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('the order of a list of reminders', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
    await write('zebra', 'active', '2099-03-01T09:00:00');
    await write('Ähre', 'paused', '2099-01-01T09:00:00');
    await write('apple', 'active', '2099-01-01T09:00:00');
    await write('Bread', 'draft', '2099-01-01T09:00:00');
    await write('date', 'active', '2099-02-01T09:00:00');
    await write('Cherry', 'paused', '2099-01-01T09:00:00');
  });
  afterAll(() => cuebird.stop());

  const write = (name: string, status: string, startDate: string) =>
    dana.call('POST', '/api/reminders', {
      workspace,
      body: { ...sampleReminder, name, status, schedule_config: { ...sampleReminder.schedule_config, startDate } },
    });

  /** Fetches the list with two rows a page. */
  async function names(query: string): Promise<string[]> {
    const found: string[] = [];
    let cursor = '';
    do {
      const path = `/api/reminders?limit=2&${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const { status, json } = await dana.call('GET', path, { workspace });
      expect(status).toBe(200);
      found.push(...json.data.map(({ name }: { name: string }) => name));
      cursor = json.next_cursor ?? '';
    } while (cursor !== '');
    return found;
  }

  it.each([
    ['-created', 'Cherry date Bread apple Ähre zebra'],
    ['created', 'zebra Ähre apple Bread date Cherry'],
    ['name', 'Ähre apple Bread Cherry date zebra'],
    ['-name', 'zebra date Cherry Bread apple Ähre'],
    ['status', 'date apple zebra Cherry Ähre Bread'],
    ['-status', 'Bread Ähre Cherry zebra apple date'],
    ['next_run', 'apple date zebra Cherry Bread Ähre'],
    ['-next_run', 'zebra date apple Cherry Bread Ähre'],
  ])('by %s holds over the pages, each reminder once', async (sort, order) => {
    expect((await names(`sort=${sort}`)).join(' ')).toBe(order);
  });

  it('also applies with a filter and a search', async () => {
    expect(await names('sort=next_run&status=active&search=E')).toEqual(['apple', 'date', 'zebra']);
    expect(await names('sort=next_run&status=paused')).toEqual(['Cherry', 'Ähre']);
    expect(await names('sort=-name&search=re')).toEqual(['Bread', 'Ähre']);
  });

  it('is refused when unknown, and with a cursor of another order', async () => {
    expect((await dana.call('GET', '/api/reminders?sort=color', { workspace })).status).toBe(400);
    const first = await dana.call('GET', '/api/reminders?limit=2&sort=name', { workspace });
    for (const sort of ['created', 'status', 'next_run']) {
      const path = `/api/reminders?limit=2&sort=${sort}&cursor=${first.json.next_cursor}`;
      expect((await dana.call('GET', path, { workspace })).status).toBe(400);
    }
  });

  it('continues after the longest name in the widest characters', async () => {
    for (const name of ['𝕏'.repeat(50), '語'.repeat(100)]) await write(name, 'draft', '2099-01-01T09:00:00');
    expect((await names('sort=name')).length).toBe(8);
  });
});

const Blocks = z.object({ 'Shared Hit Blocks': z.number(), 'Shared Read Blocks': z.number() });
const Explained = z.array(z.object({ 'QUERY PLAN': z.array(z.object({ Plan: Blocks, Serialization: Blocks })) }));

const large = /^(reminders|jobs|queue)$/;

describe('a query on many reminders', () => {
  let tables: Tables;
  let owner: Client;
  let database: Database;
  let workspace: string;
  const asked: Asked[] = [];
  let watched: Kysely<Schema>;

  beforeAll(async () => {
    tables = await openTables();
    ({ owner, database } = tables);
    watched = new Kysely<Schema>({
      dialect: new TenantDialect({ pool: database.appPool }),
      log: ({ query }) => void asked.push(query),
    });
    const { rows } = await owner.query<{ id: string }>(
      "insert into workspaces (name, slug) select 'W' || n, 'w' || n from generate_series(1, 3) n returning id",
    );
    workspace = rows[0]!.id;
    const { schedule_config: schedule, content, metadata } = sampleReminder;
    await owner.query(
      `insert into reminders (workspace_id, name, status, schedule_config, content, metadata, created_at)
       select w.id, 'Rent ' || n, (array['active', 'active', 'paused', 'draft'])[1 + n % 4], $1, $2, $3, now() - n * interval '1 minute'
         from generate_series(1, 4000) n
        cross join workspaces w`,
      [schedule, content, metadata],
    );
    // Three sent jobs for each pending one are enough to show which rows a query reads.
    await owner.query(
      `insert into jobs (workspace_id, reminder_id, name, type, status, scheduled_for, run_at, completed_at)
       select workspace_id, id, name, 'reminder', case n when 0 then 'pending' else 'completed' end,
              timestamptz '2099-01-01Z' - n * interval '1 day', '2099-01-01Z', case when n > 0 then now() end
         from reminders cross join generate_series(0, 3) n
        where status = 'active'`,
    );
    await owner.query('vacuum (analyze) reminders, jobs, queue');
  });
  afterAll(() => tables.close());

  const wholeOf = async (query: Parameters<typeof readWhole>[1]) =>
    (await readWhole({ watched, asked, workspace }, query)).filter((table) => large.test(table));

  it.each(reminderSorts)('finds a page by %s with an index', async (sort) => {
    for (const status of [...reminderStates, 'all'] as const) {
      const filter = { workspaceId: workspace, status, sort, limit: 50 };
      expect(await wholeOf((db) => findReminders(db, { ...filter, after: null }))).toEqual([]);
      const [first] = await owner
        .query('select id from reminders where workspace_id = $1 limit 1', [workspace])
        .then(({ rows }) => rows);
      const at = sort.endsWith('name') ? 'rent 2000' : sort.endsWith('status') ? '2' : '2026-01-01T00:00:00Z';
      expect(await wholeOf((db) => findReminders(db, { ...filter, after: { at, id: first.id } }))).toEqual([]);
    }
  });

  it('reads the next ones from the queue without a sort', async () => {
    for (const sort of ['next_run', '-next_run'] as const) {
      const filter = { workspaceId: workspace, status: 'active', sort, after: null, limit: 50 } as const;
      const [plan] = await plansOf({ watched, asked, workspace }, (db) => findReminders(db, filter));
      expect(JSON.stringify(plan)).toContain('"Index Name":"queue_pkey"');
      expect(JSON.stringify(plan)).not.toContain('q.job_id"]');
    }
  });

  it('finds the next run of each in the queue, without reading its jobs', async () => {
    const filter = { workspaceId: workspace, status: 'active', sort: '-created', after: null, limit: 50 } as const;
    const [plan] = await plansOf({ watched, asked, workspace }, (db) => findReminders(db, filter), { isRun: true });
    const text = JSON.stringify(plan);
    expect(text).toContain('"Index Name":"queue_of_reminder"');
    // Only the question whether one is done reads jobs, and only of those that have an end and nothing in the queue.
    const reads = [...text.matchAll(/"Index Name":"one_job_per_occurrence".*?"Actual Loops":(\d+)/g)].map(
      ([, loops]) => loops,
    );
    expect(new Set(reads)).toEqual(new Set(['0']));
  });

  it('reads no more large reminders than fit on a page', async () => {
    const { rows } = await owner.query("insert into workspaces (name, slug) values ('Large', 'large') returning id");
    const large = rows[0].id;
    // Text that cannot be compressed, 100 KB each.
    await owner.query(
      `insert into reminders (workspace_id, name, status, schedule_config, content, metadata)
       select $1, 'Large ' || n, 'draft', $2, jsonb_build_object('subject', 'x', 'message', m.text, 'recipients', '[]'::jsonb), $3
         from generate_series(1, 200) n
        cross join lateral (select string_agg(md5(n || ' ' || i), '') as text from generate_series(1, 3125) i) m`,
      [large, sampleReminder.schedule_config, sampleReminder.metadata],
    );
    const blocksOf = async (limit: number) => {
      const filter = { workspaceId: large, status: 'all', sort: '-created', after: null, limit } as const;
      const [plan] = await plansOf({ watched, asked, workspace: large }, (db) => findReminders(db, filter), {
        isRun: true,
      });
      const [[run] = []] = Explained.parse(plan).map((row) => row['QUERY PLAN']);
      const parts = run === undefined ? [] : [run.Plan, run.Serialization];
      return parts.reduce((sum, part) => sum + part['Shared Hit Blocks'] + part['Shared Read Blocks'], 0);
    };
    const [some, all] = [await blocksOf(40), await blocksOf(200)];
    expect(some).toBeGreaterThan(200);
    expect(all / some).toBeLessThan(1.5);
  });

  it('finds the open jobs of one and of many by index', async () => {
    const { rows } = await owner.query<{ id: string }>('select id from reminders where workspace_id = $1 limit 200', [
      workspace,
    ]);
    const reminderIds = rows.map(({ id }) => id);
    expect(
      await wholeOf((db) => lockOpenJobs(db, { workspaceId: workspace, reminderId: reminderIds[0] ?? '' })),
    ).toEqual([]);
    expect(await wholeOf((db) => lockJobsOf(db, { workspaceId: workspace, reminderIds }))).toEqual([]);
  });

  it('reads a page by name from its index without a sort', async () => {
    const filter = { workspaceId: workspace, status: 'all', sort: 'name', after: null, limit: 50 } as const;
    const sorts = async () =>
      JSON.stringify(await plansOf({ watched, asked, workspace }, (db) => findReminders(db, filter))).includes(
        '"Sort Key":["r.sort_key',
      );
    expect(await sorts()).toBe(false);
    await owner.query('drop index reminders_by_name');
    expect(await sorts()).toBe(true);
  });
});
