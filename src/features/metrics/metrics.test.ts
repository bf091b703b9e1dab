import parse from 'parse-prometheus-text-format';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { figureIn } from '#testing/exposition.ts';
import { sampleReminder, sampleTemplate } from '#testing/samples.ts';

const token = 'a-token-of-sixteen-and-more';

describe('/api/metrics', () => {
  let cuebird: TestCuebird;
  let ann: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird({ env: { METRICS_TOKEN: token } });
    ann = await cuebird.signUp('Ann');
    workspace = await ann.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const ask = (authorization?: string) =>
    fetch(`${cuebird.url}/api/metrics`, { headers: authorization === undefined ? {} : { authorization } });

  /** The value of a series; of a histogram how many it counted. */
  async function read(name: string, labels: Record<string, string> = {}): Promise<number | null> {
    const answer = await ask(`Bearer ${token}`);
    return figureIn(await answer.text(), { name, labels });
  }

  const count = async (sql: string) => Number((await cuebird.owner.query(`select (${sql}) as n`)).rows[0].n);

  it('is read by a parser of Prometheus, with a help and a type for each name, and units by its conventions', async () => {
    const answer = await ask(`Bearer ${token}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    const families = parse(await answer.text());
    expect(families.map(({ name }) => name)).toEqual([...new Set(families.map(({ name }) => name))]);
    for (const { name, help, type } of families) {
      expect(name).toMatch(/^cuebird_[a-z_]+$/);
      expect(help, name).not.toBe('');
      expect(type === 'COUNTER', name).toBe(name.endsWith('_total'));
    }
    expect(families.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'cuebird_http_request_duration_seconds',
        'cuebird_delivery_lateness_seconds',
        'cuebird_open_deliveries',
        'cuebird_client_streams',
        'cuebird_database_pool_connections',
        'cuebird_process_cpu_seconds_total',
        'cuebird_process_resident_memory_bytes',
        'cuebird_event_loop_delay_seconds',
        'cuebird_data_disk_free_bytes',
        'cuebird_clock_offset_seconds',
        'cuebird_database_connections',
        'cuebird_queue_due_jobs',
        'cuebird_running_jobs',
      ]),
    );
  });

  it('refuses a request without its token, with another one, and with one of a person', async () => {
    const refused = [undefined, 'Bearer', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Basic ${token}`, token];
    for (const given of refused) {
      const answer = await ask(given);
      expect(answer.status, String(given)).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
      expect(await answer.text()).not.toContain('cuebird_');
    }
    expect((await ann.call('GET', '/api/metrics')).status).toBe(401);
  });

  it('is not there without a token in the configuration', async () => {
    const other = await startTestCuebird();
    try {
      const answer = await fetch(`${other.url}/api/metrics`, { headers: { authorization: 'Bearer undefined' } });
      expect(answer.status).toBe(404);
    } finally {
      await other.stop();
    }
  });

  it('counts requests by route and class of status, whatever they ask for', async () => {
    const of = { method: 'GET', route: '/api/reminders/:id' };
    for (const id of [crypto.randomUUID(), crypto.randomUUID()])
      await ann.call('GET', `/api/reminders/${id}`, { workspace });
    await ann.call('GET', '/api/reminders', { workspace });
    expect(await read('cuebird_http_request_duration_seconds', { ...of, status: '4xx' })).toBe(2);
    expect(await read('cuebird_http_request_duration_seconds', { ...of, status: '2xx' })).toBeNull();
    expect(
      await read('cuebird_http_request_duration_seconds', { method: 'GET', route: '/api/reminders', status: '2xx' }),
    ).toBe(1);
    await fetch(`${cuebird.url}/api/no-such-route-${crypto.randomUUID()}`, { method: 'PROPFIND' });
    const unknown = { route: 'unknown', method: 'other', status: '4xx' };
    expect(await read('cuebird_http_request_duration_seconds', unknown)).toBe(1);
  });

  it('counts each delivery by channel and outcome, and how late its first attempt was', async () => {
    const made = await ann.call('POST', '/api/reminders', {
      workspace,
      body: sampleReminder,
    });
    expect(made.status).toBe(201);
    const asked = await ann.call('POST', `/api/reminders/${made.json.id}/test`, {
      workspace,
      body: { recipients: ['ann@example.com', 'ben@example.com'], subject: 'Rent', message: 'Hello' },
    });
    expect(asked.status, JSON.stringify(asked.json)).toBeLessThan(300);
    const sent = () =>
      count("select count(*) from deliveries where channel = 'email' and status in ('accepted', 'delivered')");
    await expect.poll(sent).toBe(2);
    await cuebird.stopDeliveries();
    expect(await read('cuebird_open_deliveries')).toBe(0);
    expect(await read('cuebird_deliveries_total', { channel: 'email', outcome: 'accepted' })).toBe(2);
    expect(await read('cuebird_delivery_lateness_seconds')).toBe(await count('select count(*) from deliveries'));
    // Tests of reminders count in no figure of a day.
    expect(await count('select coalesce(sum(count), 0) from delivery_days')).toBe(0);
  });

  it('counts sign-ins that are refused', async () => {
    const signIn = (password: string) =>
      fetch(`${cuebird.url}/api/auth/sign-in/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: cuebird.url },
        body: JSON.stringify({ email: ann.email, password }),
      });
    for (const password of ['wrong one', 'wrong two', 'correct horse battery']) await signIn(password);
    expect(await read('cuebird_sign_in_failures_total')).toBe(2);
  });

  it('tells of the database what the database says', async () => {
    expect(await read('cuebird_database_size_bytes')).toBeCloseTo(
      await count('pg_database_size(current_database())'),
      -6,
    );
    expect(await read('cuebird_database_connections_max')).toBe(await count("current_setting('max_connections')::int"));
    expect(await read('cuebird_processes', { state: 'running', role: 'all' })).toBe(1);
    expect(await read('cuebird_last_backup_timestamp_seconds')).toBeNull();
    await cuebird.owner.query(
      `update app_settings set value = value || '{"succeeded_at": "2026-03-02T02:00:00Z"}' where key = 'engine.backups'`,
    );
    expect(await read('cuebird_last_backup_timestamp_seconds')).toBe(Date.parse('2026-03-02T02:00:00Z') / 1_000);
    const streams = new AbortController();
    const opened = await fetch(`${cuebird.url}/api/stream?workspace=${workspace}`, {
      headers: { cookie: ann.cookie },
      signal: streams.signal,
    });
    expect(opened.status).toBe(200);
    expect(await read('cuebird_client_streams')).toBe(1);
    streams.abort();
    await expect.poll(() => read('cuebird_client_streams')).toBe(0);
  });
});

it('counts nothing as late that was asked for after its time', async () => {
  const cuebird = await startTestCuebird({ env: { METRICS_TOKEN: token } });
  try {
    const ann = await cuebird.signUp('Ann');
    const workspace = await ann.createWorkspace('Elm Street');
    const template = await ann.call('POST', '/api/templates', { workspace, body: sampleTemplate });
    const schedule = {
      type: 'scheduled',
      scheduleType: 'once',
      startDate: new Date(Date.now() - 3_600_000).toISOString(),
      timezone: 'UTC',
    };
    const content = { subject: 'Rent', message: 'Hello', recipients: ['ann@example.com'] };
    const asked = [
      await ann.call('POST', '/api/jobs', {
        workspace,
        body: {
          name: 'Rent',
          template_id: template.json.id,
          schedule,
          recipients: ['ann@example.com'],
          variables: { amount: 1 },
        },
      }),
      await ann.call('POST', '/api/reminders', {
        workspace: await ann.createWorkspace('Oak Street'),
        body: { ...sampleReminder, status: 'active', schedule_config: schedule, content },
      }),
    ];
    expect(asked.map(({ status }) => status)).toEqual([201, 201]);
    const ended = async () => (await cuebird.owner.query("select from jobs where status = 'completed'")).rowCount;
    await expect.poll(ended).toBe(2);
    const [from, to] = [-1, 1].map((days) => Temporal.Now.plainDateISO('UTC').add({ days }).toString());
    const of = await ann.call('GET', `/api/analytics/deliveries?from=${from}&to=${to}&timezone=UTC`, { workspace });
    expect(of.json.latency.p99).toBeLessThan(60);
    await cuebird.stopDeliveries();
    const answer = await fetch(`${cuebird.url}/api/metrics`, { headers: { authorization: `Bearer ${token}` } });
    const text = await answer.text();
    const name = 'cuebird_delivery_lateness_seconds';
    const withinAMinute = figureIn(text, { name: `${name}_bucket`, labels: { le: '60' } });
    expect([withinAMinute, figureIn(text, { name })]).toEqual([2, 2]);
  } finally {
    await cuebird.stop();
  }
});
