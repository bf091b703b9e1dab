import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoLimits } from '#contract/demo-limits.ts';
import { sweepOnce } from '#engine/maintenance/archiver.ts';
import { beginDemo, type VisitorPorts } from '#features/demo/visitors.service.ts';
import { neverAborts, systemClock } from '#platform/clock.ts';
import { demoBudget } from '#platform/demo-budget.ts';
import { createLog } from '#platform/log.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { startTestCuebird, type TestCuebird } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { beginDemoAt, type DemoVisitor, getAs, postAs, visitDemo } from '#testing/demo-visitor.ts';
import { sampleTemplate } from '#testing/samples.ts';

let cuebird: TestCuebird;
let ben: DemoVisitor;
let cleo: DemoVisitor;

beforeAll(async () => {
  cuebird = await startTestCuebird({ env: { DEMO: 'on' } });
  [ben, cleo] = [await visitDemo(cuebird), await visitDemo(cuebird)];
});
afterAll(() => cuebird.stop());

describe('a visitor of the demo', () => {
  it('sees a workspace that is full at first sight', async () => {
    const { json: dashboard } = await getAs(ben, '/api/dashboard');
    expect(dashboard.activeReminders).toBeGreaterThan(8);
    expect(dashboard.completedThisWeek).toBeGreaterThan(15);
    expect(dashboard.recent[0].name).toBe('Inspection today: 12 Elm Street');
    expect(dashboard.first_steps).toBeNull();
    const { json: day } = await getAs(ben, '/api/dashboard/day');
    expect(day.upcoming.count).toBeGreaterThan(2);
    expect(day.failures.count).toBeGreaterThan(1);
    const { json: channels } = await getAs(ben, '/api/channels');
    expect(channels.data.map(({ type }: { type: string }) => type).sort()).toEqual([
      'email',
      'slack',
      'sms',
      'webhook',
      'whatsapp',
    ]);
    const { json: categories } = await getAs(ben, '/api/template-categories');
    expect(new Set(categories.data.map(({ color }: { color: string }) => color)).size).toBe(5);
    const { json: reminders } = await getAs(ben, '/api/reminders?limit=100');
    expect(reminders.data.flatMap(({ warnings }: { warnings: string[] }) => warnings)).toEqual([]);
    expect((await getAs(ben, '/api/suppressions')).json.data).toHaveLength(2);
    expect((await getAs(ben, '/api/topics')).json.data).toMatchObject([
      { name: 'House news', kind: 'optional', reminders: 1, left: 1 },
      { name: 'Rent and repairs', kind: 'required', why: 'contract', reminders: 2, left: 0 },
    ]);
  });

  it('keeps the ledger of the past in its months', async () => {
    const { rows } = await cuebird.owner.query(
      'select count(*)::int as rows from deliveries_other where workspace_id = $1',
      [ben.workspace],
    );
    expect(rows).toEqual([{ rows: 0 }]);
  });

  it('sees nothing of another one', async () => {
    const ids = async (of: DemoVisitor, path: string) =>
      (await getAs(of, path)).json.data.map(({ id }: { id: string }) => id);
    for (const path of ['/api/reminders', '/api/contacts', '/api/templates', '/api/channels', '/api/jobs']) {
      const [his, hers] = [await ids(ben, path), await ids(cleo, path)];
      expect(his.length).toBeGreaterThan(3);
      expect(his.filter((id: string) => hers.includes(id))).toEqual([]);
      expect((await ben.person.call('GET', path, { workspace: cleo.workspace })).status).toBe(404);
    }
    const [reminder] = await ids(cleo, '/api/reminders');
    expect((await getAs(ben, `/api/reminders/${reminder}`)).status).toBe(404);
    expect((await getAs(ben, `/api/workspaces/${cleo.workspace}/members`)).status).toBe(404);
    expect((await getAs(ben, '/api/account/devices')).json.data).toHaveLength(1);
  });

  it('finds the same demo again with a second click', async () => {
    const response = await beginDemoAt(cuebird.url, { cookie: ben.person.cookie });
    expect([response.status, response.headers.getSetCookie()]).toEqual([201, []]);
    expect((await ben.person.call('GET', '/api/workspaces')).json.data).toHaveLength(1);
  });

  it('has one workspace', async () => {
    const refused = await cleo.person.call('POST', '/api/workspaces', { body: { name: 'Oak Street' } });
    expect([refused.status, refused.json.error.message]).toEqual([
      422,
      'A demo has one workspace. Create an account to have more.',
    ]);
    expect((await cleo.person.call('GET', '/api/workspaces')).json.data).toHaveLength(1);
  });

  it('has a budget of data in all, by itself, its API keys and its hooks, and everybody else has none', async () => {
    const visitor = await visitDemo(cuebird);
    const { workspace } = visitor;
    const used = async () => {
      const { rows } = await cuebird.owner.query(
        "select used from request_counts where workspace_id = $1 and bucket = 'demo_bytes'",
        [workspace],
      );
      return rows[0]?.used ?? 0;
    };
    const template = { ...sampleTemplate, content: { ...sampleTemplate.content, body: 'x'.repeat(90_000) } };
    expect((await postAs(visitor, '/api/templates', template)).status).toBe(201);
    expect(await used()).toBeGreaterThan(90_000);
    await getAs(visitor, '/api/templates');
    const before = await used();
    expect((await postAs(visitor, '/api/templates', {})).status).toBe(400);
    expect(await used()).toBe(before);
    await cuebird.owner.query("update request_counts set used = $2 where workspace_id = $1 and bucket = 'demo_bytes'", [
      workspace,
      demoBudget.bytes - 2_000,
    ]);
    const refused = await postAs(visitor, '/api/templates', template);
    expect([refused.status, refused.json.error.message]).toEqual([
      429,
      expect.stringContaining('This demo has taken all the data that a demo may take. Create an account to go on.'),
    ]);
    expect((await getAs(visitor, '/api/templates')).status).toBe(200);
    const dana = await cuebird.signUp('Dana');
    const own = await dana.createWorkspace('Elm Street');
    expect((await dana.call('POST', '/api/templates', { workspace: own, body: template })).status).toBe(201);
    const { rows } = await cuebird.owner.query(
      "select count(*)::int as n from request_counts where workspace_id = $1 and bucket = 'demo_bytes'",
      [own],
    );
    expect(rows).toEqual([{ n: 0 }]);
  });

  it('spends its budget before the work: what changes nothing keeps no answer, and one request waits for no other', async () => {
    const visitor = await visitDemo(cuebird);
    const { workspace, person } = visitor;
    const body = { content: sampleTemplate.content, values: {} };
    const headers = { 'idempotency-key': 'preview-1' };
    expect((await person.call('POST', '/api/templates/preview', { workspace, body, headers })).status).toBe(200);
    const { rows } = await cuebird.owner.query('select key from idempotency_keys where workspace_id = $1', [workspace]);
    expect(rows).toEqual([]);

    const { json: template } = await postAs(visitor, '/api/templates', sampleTemplate);
    await cuebird.owner.query('begin');
    await cuebird.owner.query('select from templates where id = $1 for update', [template.id]);
    const waits = person.call('PATCH', `/api/templates/${template.id}`, { workspace, body: sampleTemplate });
    await expect
      .poll(async () => {
        const { rowCount } = await cuebird.owner.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rowCount;
      })
      .toBe(1);
    expect((await postAs(visitor, '/api/templates', sampleTemplate)).status).toBe(201);
    await cuebird.owner.query('commit');
    expect((await waits).status).toBe(200);
  });

  it('learns on every screen that it has sent all that a demo may send', async () => {
    const visitor = await visitDemo(cuebird);
    const spentAt = async () => (await visitor.person.call('GET', '/api/workspaces')).json.data[0].demo_spent_at;
    expect(await spentAt()).toBeNull();
    await cuebird.owner.query('update workspaces set demo_messages = $2 where id = $1', [
      visitor.workspace,
      demoLimits.messages,
    ]);
    const { json: template } = await postAs(visitor, '/api/templates', sampleTemplate);
    const sent = await postAs(visitor, '/api/notifications/send', {
      template_id: template.id,
      recipient: 'tess@example.com',
      variables: { amount: 950 },
    });
    expect(sent.status).toBe(202);
    await expect.poll(spentAt).not.toBeNull();
  });

  it('is nobody who is signed in', async () => {
    const dana = await cuebird.signUp('Dana');
    const response = await beginDemoAt(cuebird.url, { cookie: dana.cookie });
    expect([response.status, response.headers.getSetCookie()]).toEqual([201, []]);
    expect((await dana.call('GET', '/api/workspaces')).json.data).toEqual([]);
  });
});

describe('the figures of the installation', () => {
  it('leave out demos, with what was made up for them', async () => {
    const grace = await cuebird.signUp('Grace');
    await cuebird.owner.query('update profiles set is_system_admin = true where id = $1', [grace.userId]);
    const { json } = await grace.call('GET', '/api/admin/overview?timezone=UTC');
    const { rows } = await cuebird.owner.query(
      `select (select count(*)::int from profiles where demo_until is null) as users,
              (select count(*)::int from workspaces where demo_until is null) as workspaces`,
    );
    expect(json).toMatchObject(rows[0]);
    const { rows: days } = await cuebird.owner.query('select coalesce(sum(count), 0)::int as count from delivery_days');
    expect(days[0].count).toBeLessThan(50);
  });
});

describe('demos are bounded', () => {
  const ports = (of: Partial<VisitorPorts> = {}): VisitorPorts => ({
    database: cuebird.database,
    secrets: createSecretBox(TEST_ENCRYPTION_KEY),
    guard: createEgressGuard({ allow: [], exact: () => [] }),
    url: () => cuebird.url,
    sandbox: null,
    isOpen: true,
    hasLimits: true,
    now: systemClock.now,
    ...of,
  });
  const asked = (clientAddress: string) => ({ clientAddress, timezone: 'UTC' });

  it('from one network, with a sentence that says so', async () => {
    const now = () => Temporal.Instant.from('2026-03-02T08:00:00Z');
    for (let n = 0; n < 10; n += 1) await beginDemo(ports({ now }), asked('203.0.113.7'));
    await expect(beginDemo(ports({ now }), asked('203.0.113.7'))).rejects.toThrow(
      'Too many demos were opened from your network today. Try again in 24 hours.',
    );
    await expect(beginDemo(ports({ now }), asked('203.0.113.8'))).resolves.toHaveProperty('userId');
  });

  it('in total, and says when to come back', async () => {
    await expect(beginDemo(ports({ most: 2 }), asked('203.0.113.9'))).rejects.toThrow(
      'Too many people are looking at the demo just now. Please try again in an hour.',
    );
  });

  it('and closed where there is no sandbox', async () => {
    await expect(beginDemo(ports({ isOpen: false }), asked('203.0.113.9'))).rejects.toThrow('There is no such demo');
  });

  it('by a day: then everything of it is gone, and nothing of others', async () => {
    await cuebird.owner.query("update workspaces set demo_until = now() - interval '1 minute' where id = $1", [
      ben.workspace,
    ]);
    await cuebird.owner.query(
      `update profiles set demo_until = now() - interval '1 minute'
        where id in (select user_id from workspace_members where workspace_id = $1)`,
      [ben.workspace],
    );
    const deps = {
      pool: cuebird.database.engine,
      clock: systemClock,
      log: createLog('silent'),
      isPaused: async () => false,
    };
    expect(await sweepOnce(deps, neverAborts)).toMatchObject({ workspaces: expect.any(Number) });
    await expect.poll(async () => (await getAs(ben, '/api/dashboard')).status).toBe(401);
    const { rows: tables } = await cuebird.owner.query<{ table: string }>(
      `select c.table_name as table from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and c.column_name = 'workspace_id' and t.table_type = 'BASE TABLE' and c.table_name <> 'audit_log'`,
    );
    const left = async (workspace: string) => {
      const found: string[] = [];
      for (const { table } of tables) {
        const { rowCount } = await cuebird.owner.query(`select from ${table} where workspace_id = $1 limit 1`, [
          workspace,
        ]);
        if (rowCount !== 0) found.push(table);
      }
      return found;
    };
    expect(await left(ben.workspace)).toEqual([]);
    expect((await left(cleo.workspace)).length).toBeGreaterThan(8);
    expect((await getAs(cleo, '/api/dashboard')).status).toBe(200);
  });
});
