import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { makeTraffic } from '#testing/traffic.ts';

/** What the tables say, read whole. Every figure is computed from it in a few lines here. */
type Tables = Awaited<ReturnType<typeof readTables>>;

async function readTables(owner: Client) {
  const all = async (sql: string) => (await owner.query(sql)).rows;
  return {
    people: await all('select * from profiles order by created_at desc, id desc'),
    workspaces: await all('select * from workspaces order by created_at desc, id desc'),
    members: await all('select * from workspace_members'),
    reminders: await all('select * from reminders'),
    templates: await all('select * from templates'),
    channels: await all('select * from channels'),
    contacts: await all('select * from contacts'),
    jobs: await all('select * from jobs order by id desc'),
    runs: await all('select * from executions order by listed_at desc, id desc'),
    messages: await all('select d.*, j.type from deliveries d join jobs j on j.id = d.job_id'),
    acts: await all('select * from audit_log where workspace_id is null order by created_at desc, id desc'),
  };
}

const isSent = ({ status }: { status: string }) => status === 'accepted' || status === 'delivered';
const isLost = ({ status }: { status: string }) => status === 'failed' || status === 'unknown';
const isReal = ({ type }: { type: string }) => type !== 'test_reminder';
const dayOf = (at: string, timezone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(new Date(at));
const today = (timezone: string) => dayOf(new Date().toISOString(), timezone);
const ms = (at: string) => new Date(at).getTime();
const count = <Row>(rows: readonly Row[], is: (row: Row) => boolean) => rows.filter(is).length;

/** Percent with one decimal, never rounded up. */
const rate = (good: number, bad: number) => (good + bad === 0 ? 100 : Math.floor((1_000 * good) / (good + bad)) / 10);

const zones = ['UTC', 'Pacific/Auckland', 'America/Los_Angeles'];

describe('every figure of the admin console and of analytics, after traffic of several workspaces', {
  timeout: 120_000,
}, () => {
  let cuebird: TestCuebird;
  let ann: TestPerson;
  let dana: TestPerson;
  let finn: TestPerson;
  let workspaceIds: Awaited<ReturnType<typeof makeTraffic>>;
  let tables: Tables;

  beforeAll(async () => {
    cuebird = await startTestCuebird();
    [ann, dana, finn] = [await cuebird.signUp('Ann'), await cuebird.signUp('Dana'), await cuebird.signUp('Finn')];
    await cuebird.owner.query('update profiles set is_system_admin = true where id = $1', [ann.userId]);
    workspaceIds = await makeTraffic(cuebird, { dana, finn });
    await cuebird.stopDeliveries();
    tables = await readTables(cuebird.owner);
  }, 180_000);
  afterAll(() => cuebird.stop());

  const get = async (person: TestPerson, path: string, workspace?: string) => {
    const { status, json } = await person.call('GET', path, workspace === undefined ? {} : { workspace });
    expect(status, path).toBe(200);
    return json;
  };

  const within = (rows: Tables[keyof Tables], workspace: string) =>
    rows.filter((row) => row.workspace_id === workspace);

  it('has traffic of every kind', () => {
    const kinds = new Set(
      tables.messages.map(({ channel, status }) => `${channel} ${isSent({ status }) ? 'sent' : status}`),
    );
    expect([...kinds].toSorted()).toEqual([
      'email failed',
      'email sent',
      'email skipped',
      'sms failed',
      'sms sent',
      'whatsapp sent',
    ]);
    expect(new Set(tables.jobs.map(({ status }) => status))).toEqual(new Set(['pending', 'completed', 'failed']));
    expect(count(tables.jobs, (job) => !isReal(job))).toBe(1);
  });

  /** Of an installation messages, of workspaces people: each contact or address once in a run. */
  const ratedOf = {
    installation: () => {
      const messages = tables.messages.filter(isReal);
      return { reached: count(messages, isSent), missed: count(messages, isLost) };
    },
    workspaces: (ids: readonly string[]) => {
      const runs = Map.groupBy(
        tables.messages.filter((row) => isReal(row) && ids.includes(row.workspace_id)),
        (row) => `${row.job_id} ${row.contact_id ?? row.recipient}`,
      );
      const people = [...runs.values()];
      const reached = count(people, (messages) => messages.some(isSent));
      return { reached, missed: people.length - reached };
    },
  };

  it.each(zones)('above the tabs: of the installation, and of one’s own workspaces, in %s', async (timezone) => {
    const own = [workspaceIds['Elm Street'], workspaceIds['Oak Lane']];
    for (const [person, scope, ids] of [
      [ann, 'installation', tables.workspaces.map(({ id }) => id)],
      [dana, 'workspaces', own],
    ] as const) {
      // The analytics of an installation count by the day of UTC.
      const zone = scope === 'installation' ? 'UTC' : timezone;
      const messages = tables.messages.filter(
        (row) => isReal(row) && ids.includes(row.workspace_id) && dayOf(row.scheduled_for, zone) === today(zone),
      );
      const { reached, missed } = ratedOf[scope](ids);
      const members = tables.members.filter((row) => ids.includes(row.workspace_id)).map((row) => row.user_id);
      expect(await get(person, `/api/admin/overview?timezone=${timezone}`)).toEqual({
        scope,
        users: scope === 'installation' ? tables.people.length : new Set(members).size,
        workspaces: ids.length,
        deliveries_today: { sent: count(messages, isSent), failed: count(messages, isLost) },
        success_rate: rate(reached, missed),
        reached,
        missed,
        demos: 0,
      });
    }
  });

  it('Users and Workspaces: who is in what, newest first', async () => {
    const { data: people } = await get(ann, '/api/admin/people');
    expect(people).toEqual(
      tables.people.map((person) =>
        expect.objectContaining({
          id: person.id,
          email: person.email,
          email_verified: person.email_verified,
          is_system_admin: person.id === ann.userId,
          suspended_at: null,
          sessions: 1,
          membership_count: count(tables.members, ({ user_id: id }) => id === person.id),
        }),
      ),
    );
    const { data: workspaces } = await get(ann, '/api/admin/workspaces');
    const ownerOf = (id: string) => tables.members.find((row) => row.workspace_id === id && row.role === 'owner');
    expect(workspaces).toEqual(
      tables.workspaces.map(({ id, name }) =>
        expect.objectContaining({
          id,
          name,
          member_count: within(tables.members, id).length,
          owner_email: tables.people.find((person) => person.id === ownerOf(id)?.user_id)?.email,
        }),
      ),
    );
  });

  it('Analytics: growth, and deliveries by day and channel as above the tabs', async () => {
    const messages = tables.messages.filter(isReal);
    const channels = [...new Set<string>(messages.map(({ channel }) => channel))].toSorted();
    const rated = (rows: typeof messages) => {
      const [sent, lost] = [count(rows, isSent), count(rows, isLost)];
      return { sent, failed: lost, success_rate: rate(sent, lost) };
    };
    const days = [
      ...new Set([...tables.people, ...tables.workspaces].map((row) => dayOf(row.created_at, 'UTC'))),
    ].toSorted();
    const dueOn = (day: string, channel: string) =>
      messages.filter((row) => row.channel === channel && dayOf(row.scheduled_for, 'UTC') === day);
    const dueDays = [...new Set(messages.map((row) => dayOf(row.scheduled_for, 'UTC')))].toSorted();
    const found = await get(ann, '/api/admin/analytics?days=7');
    expect(found).toMatchObject({
      ...rated(messages),
      new_users: tables.people.length,
      new_workspaces: tables.workspaces.length,
      growth: days.map((day) => ({
        day,
        users: count(tables.people, (row) => dayOf(row.created_at, 'UTC') === day),
        workspaces: count(tables.workspaces, (row) => dayOf(row.created_at, 'UTC') === day),
      })),
      deliveries: dueDays.flatMap((day) =>
        channels
          .filter((channel) => dueOn(day, channel).some((row) => isSent(row) || isLost(row)))
          .map((channel) => ({
            day,
            channel,
            sent: count(dueOn(day, channel), isSent),
            failed: count(dueOn(day, channel), isLost),
          })),
      ),
      channels: expect.arrayContaining(
        channels.map((channel) => ({ channel, ...rated(messages.filter((row) => row.channel === channel)) })),
      ),
    });
    const ofToday = found.deliveries.filter(({ day }: { day: string }) => day === today('UTC'));
    const sum = (key: 'sent' | 'failed') =>
      ofToday.reduce((total: number, row: Record<typeof key, number>) => total + row[key], 0);
    expect((await get(ann, '/api/admin/overview')).deliveries_today).toEqual({
      sent: sum('sent'),
      failed: sum('failed'),
    });
  });

  it('System: the load, minute by minute, how late it began, and what runs', async () => {
    const tried = tables.messages.filter((row) => row.first_attempt_at !== null);
    const system = await get(ann, '/api/admin/system');
    expect(system.lateness.hour?.count).toBe(tried.length);
    const sum = (key: 'sent' | 'failed') =>
      system.minutes.reduce((total: number, row: Record<typeof key, number>) => total + row[key], 0);
    expect(sum('sent')).toBe(count(tables.messages, (row) => isReal(row) && isSent(row)));
    expect(sum('failed')).toBe(count(tables.messages, (row) => isReal(row) && isLost(row)));
    const late = tried
      .map((row) => (ms(row.first_attempt_at) - ms(row.scheduled_for)) / 1_000)
      .toSorted((a, b) => a - b);
    // Bounds of the histogram: what lies between two of them is estimated.
    const bounds = [0, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
    for (const [share, found] of [
      [0.5, system.lateness.hour.median],
      [0.95, system.lateness.hour.p95],
    ]) {
      const exact = late[Math.ceil(share * late.length) - 1] ?? 0;
      expect(found).toBeGreaterThanOrEqual(bounds.findLast((bound) => bound <= exact * 0.8) ?? 0);
      expect(found).toBeLessThanOrEqual(bounds.find((bound) => bound >= exact * 1.2 + 0.02) ?? Infinity);
    }
    expect(system.queue).toEqual({ due: 0, oldest_due: null, running: 0 });
    const { rows } = await cuebird.owner.query(
      "select pg_database_size(current_database())::float8 as size, current_setting('max_connections')::int as most",
    );
    expect(Math.abs(system.database.size_bytes - rows[0].size)).toBeLessThan(0.05 * rows[0].size);
    expect(system.database.max_connections).toBe(rows[0].most);
    expect(system.processes).toEqual([expect.objectContaining({ role: 'all', state: 'running', pid: process.pid })]);
    const asked = system.responses.hour.count;
    for (let n = 0; n < 5; n += 1) await get(ann, '/api/workspaces');
    // The five and the one before them. Requests that nobody here sends may be counted meanwhile, such as reports of the sandbox's providers.
    const { count: more } = (await get(ann, '/api/admin/system')).responses.hour;
    expect(more).toBeGreaterThanOrEqual(asked + 6);
    expect(more).toBeLessThanOrEqual(asked + 6 + tables.messages.length);
  });

  it('Logs: the latest executions, of all and of one’s own, and acts of the installation', async () => {
    const jobOf = (id: string) => tables.jobs.find((job) => job.id === id);
    const latest = (ids: readonly unknown[]) =>
      tables.runs
        .filter((run) => ids.includes(run.workspace_id))
        .slice(0, 20)
        .map((run) =>
          expect.objectContaining({
            id: run.id,
            job: jobOf(run.job_id)?.name,
            status: run.status,
            is_partly_sent: run.status === 'failed' && (run.logs.accepted > 0 || run.logs.delivered > 0),
            duration_ms: run.duration_ms,
          }),
        );
    expect((await get(ann, '/api/admin/executions')).data).toEqual(latest(tables.workspaces.map(({ id }) => id)));
    expect((await get(finn, '/api/admin/executions')).data).toEqual(latest([workspaceIds['Mill Road']]));
    const { data } = await get(ann, '/api/admin/audit-log?limit=50');
    expect(data.map(({ id }: { id: string }) => id)).toEqual(tables.acts.slice(0, 50).map(({ id }) => id));
  });

  it.each(['Elm Street', 'Oak Lane', 'Mill Road'] as const)(
    'the analytics of %s, for its members and for administrators',
    async (name) => {
      const workspace = workspaceIds[name];
      const member = name === 'Mill Road' ? finn : dana;
      const of = (rows: Tables[keyof Tables]) => within(rows, workspace);
      const jobs = of(tables.jobs).filter(isReal);
      const ids = new Set(jobs.map(({ id }) => id));
      const runs = of(tables.runs).filter((run) => run.duration_ms !== null && ids.has(run.job_id));
      const inStatus = (wanted: string) => count(jobs, ({ status }) => status === wanted);
      const inRuns = Map.groupBy(of(tables.messages).filter(isReal), (row) => `${row.job_id} ${personOf(row)}`);
      const sentJobs = new Set(
        of(tables.messages)
          .filter(isSent)
          .map((row) => row.job_id),
      );
      const people = {
        reached: count([...inRuns.values()], (rows) => rows.some(isSent)),
        missed: count([...inRuns.values()], (rows) => rows.every((row) => isLost(row) || row.status === 'skipped')),
      };
      const expected = {
        templates: of(tables.templates).length,
        reminders: of(tables.reminders).length,
        active_reminders: count(of(tables.reminders), ({ status }) => status === 'active'),
        members: of(tables.members).length,
        channels: of(tables.channels).length,
        contacts: of(tables.contacts).length,
        jobs: {
          total: jobs.length,
          ...Object.fromEntries(
            ['pending', 'running', 'completed', 'failed', 'cancelled', 'paused'].map((status) => [
              status,
              inStatus(status),
            ]),
          ),
        },
        people,
        success_rate: rate(people.reached, people.missed),
        executions: {
          total: runs.length,
          average_ms: expect.closeTo(runs.reduce((sum, run) => sum + run.duration_ms, 0) / runs.length, 0),
          latest: runs
            .slice(0, 10)
            .map(({ id, job_id, status, duration_ms }) => expect.objectContaining({ id, job_id, status, duration_ms })),
        },
        recent_jobs: jobs.slice(0, 10).map((job) =>
          expect.objectContaining({
            id: job.id,
            name: job.name,
            type: job.type,
            status: job.status,
            is_partly_sent: job.status === 'failed' && sentJobs.has(job.id),
          }),
        ),
      };
      expect(await get(member, '/api/analytics', workspace)).toEqual(expected);
      expect(await get(ann, `/api/admin/workspaces/${workspace}/analytics`)).toEqual({ name, ...expected });
    },
  );

  it.each(zones)('the deliveries of a workspace and their file, in %s', async (timezone) => {
    const workspace = workspaceIds['Elm Street'];
    const rows = within(tables.messages, workspace).filter(isReal);
    const keys = [...new Set(rows.map((row) => `${dayOf(row.scheduled_for, timezone)} ${row.channel}`))].toSorted();
    const days = keys.map((key) => {
      const [day = '', channel = ''] = key.split(' ');
      const due = rows.filter((row) => row.channel === channel && dayOf(row.scheduled_for, timezone) === day);
      return { day, channel, sent: count(due, isSent), failed: count(due, isLost) };
    });
    const seconds = rows
      .filter(isSent)
      .map((row) => acceptedAt(row) - ms(row.scheduled_for))
      .map((took) => took / 1_000)
      .toSorted((a, b) => a - b);
    const ranked = new Map<string, number>();
    for (const row of rows.filter(isLost)) {
      const key = JSON.stringify([row.channel, row.reason ?? 'No reason was given']);
      ranked.set(key, (ranked.get(key) ?? 0) + 1);
    }
    const people = [...new Set(rows.map(personOf))];
    const toThem = (key: string) => rows.filter((row) => personOf(row) === key);
    const missed = people.filter((key) => toThem(key).every((row) => isLost(row) || row.status === 'skipped'));
    const range = `from=${days[0]?.day}&to=${today(timezone)}&timezone=${timezone}`;
    const found = await get(dana, `/api/analytics/deliveries?${range}`, workspace);
    expect(found).toMatchObject({ sent: count(rows, isSent), failed: count(rows, isLost), days });
    // To two significant digits.
    for (const [key, share] of [
      ['median', 0.5],
      ['p95', 0.95],
      ['p99', 0.99],
    ] as const)
      expect(Math.abs(found.latency[key] / percentile(seconds, share) - 1), key).toBeLessThanOrEqual(0.051);
    expect(
      Object.fromEntries(
        found.reasons.map(({ channel, reason, count: times }: Reason) => [JSON.stringify([channel, reason]), times]),
      ),
    ).toEqual(Object.fromEntries(ranked));
    expect(found.reasons.map((reason: Reason) => reason.count)).toEqual([...ranked.values()].toSorted((a, b) => b - a));
    expect(
      Object.fromEntries(
        found.unreached.map((person: Addressed & { missed: number }) => [personOf(person), person.missed]),
      ),
    ).toEqual(Object.fromEntries(missed.map((key) => [key, toThem(key).length])));
    const file = await fetch(`${cuebird.url}/api/analytics/deliveries/export?${range}&workspace=${workspace}`, {
      headers: { cookie: dana.cookie },
    });
    expect((await file.text()).replace('\uFEFF', '').split('\r\n')).toEqual([
      `Day (${timezone}),Channel,Sent,Failed`,
      ...days.map((day) => `${day.day},${day.channel},${day.sent},${day.failed}`),
      '',
    ]);
  });
});

type Reason = { channel: string; reason: string; count: number };
const personOf = (row: Addressed) => row.contact_id ?? `${row.channel} ${row.recipient}`;
type Addressed = { contact_id: string | null; channel: string; recipient: string };

/** A receipt comes later: the history says when the message was accepted. */
function acceptedAt(row: Tables['messages'][number]): number {
  const earlier = (row.attempt_history ?? []).find((entry: { status: string }) => entry.status === 'accepted');
  return ms(row.status === 'delivered' && earlier !== undefined ? earlier.answered : row.completed_at);
}

/** Between the two nearest values, as `percentile_cont` is defined (ISO 9075). */
function percentile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const [below = 0, above = below] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at - Math.floor(at));
}
