import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepOnce } from '#engine/maintenance/archiver.ts';
import { beginDemo, type VisitorPorts } from '#features/demo/visitors.service.ts';
import { neverAborts, systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { portOf } from '#sandbox/port.ts';
import { personWith, startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';

let cuebird: TestCuebird;
/** Stands for every server on earth; it counts who comes. */
let outside: Server;
let url: string;
let visits = 0;
let ben: Visitor;
let cleo: Visitor;

beforeAll(async () => {
  cuebird = await startTestCuebird({ env: { DEMO: 'on' } });
  outside = createServer((socket) => {
    visits += 1;
    socket.on('error', () => {});
    socket.destroy();
  });
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${portOf(outside)}`;
  [ben, cleo] = [await visit(), await visit()];
});
afterAll(async () => {
  outside.close();
  await cuebird.stop();
});

type Visitor = { person: TestPerson; workspace: string };

async function begin(headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${cuebird.url}/api/demo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ timezone: 'Europe/Berlin' }),
  });
}

/** One click on Watch Demo, in a browser of its own. */
async function visit(): Promise<Visitor> {
  const response = await begin();
  expect(response.status).toBe(201);
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const person = personWith(cuebird.url, { userId: '', email: '', cookie });
  const { json } = await person.call('GET', '/api/workspaces');
  expect(json.data).toHaveLength(1);
  return { person, workspace: json.data[0].id };
}

const get = ({ person, workspace }: Visitor, path: string) => person.call('GET', path, { workspace });
const post = ({ person, workspace }: Visitor, path: string, body: unknown) =>
  person.call('POST', path, { workspace, body });

describe('a visitor of the demo', () => {
  it('sees a workspace that is full at first sight', async () => {
    const { json: dashboard } = await get(ben, '/api/dashboard');
    expect(dashboard.activeReminders).toBeGreaterThan(8);
    expect(dashboard.completedThisWeek).toBeGreaterThan(15);
    expect(dashboard.recent[0].name).toBe('Inspection today: 12 Elm Street');
    expect(dashboard.first_steps).toBeNull();
    const { json: day } = await get(ben, '/api/dashboard/day');
    expect(day.upcoming.count).toBeGreaterThan(2);
    expect(day.failures.count).toBeGreaterThan(1);
    const { json: channels } = await get(ben, '/api/channels');
    expect(channels.data.map(({ type }: { type: string }) => type).sort()).toEqual([
      'email',
      'slack',
      'sms',
      'webhook',
      'whatsapp',
    ]);
    const { json: categories } = await get(ben, '/api/template-categories');
    expect(new Set(categories.data.map(({ color }: { color: string }) => color)).size).toBe(5);
    const { json: reminders } = await get(ben, '/api/reminders?limit=100');
    expect(reminders.data.flatMap(({ warnings }: { warnings: string[] }) => warnings)).toEqual([]);
    expect((await get(ben, '/api/suppressions')).json.data).toHaveLength(2);
  });

  it('keeps the ledger of the past in its months', async () => {
    const { rows } = await cuebird.owner.query(
      'select count(*)::int as rows from deliveries_other where workspace_id = $1',
      [ben.workspace],
    );
    expect(rows).toEqual([{ rows: 0 }]);
  });

  it('sees nothing of another one', async () => {
    const ids = async (of: Visitor, path: string) =>
      (await get(of, path)).json.data.map(({ id }: { id: string }) => id);
    for (const path of ['/api/reminders', '/api/contacts', '/api/templates', '/api/channels', '/api/jobs']) {
      const [his, hers] = [await ids(ben, path), await ids(cleo, path)];
      expect(his.length).toBeGreaterThan(3);
      expect(his.filter((id: string) => hers.includes(id))).toEqual([]);
      expect((await ben.person.call('GET', path, { workspace: cleo.workspace })).status).toBe(404);
    }
    const [reminder] = await ids(cleo, '/api/reminders');
    expect((await get(ben, `/api/reminders/${reminder}`)).status).toBe(404);
    expect((await get(ben, `/api/workspaces/${cleo.workspace}/members`)).status).toBe(404);
    expect((await get(ben, '/api/account/devices')).json.data).toHaveLength(1);
  });

  it('finds the same demo again with a second click', async () => {
    const response = await begin({ cookie: ben.person.cookie });
    expect([response.status, response.headers.getSetCookie()]).toEqual([201, []]);
    expect((await ben.person.call('GET', '/api/workspaces')).json.data).toHaveLength(1);
  });

  it('is nobody who is signed in', async () => {
    const dana = await cuebird.signUp('Dana');
    const response = await begin({ cookie: dana.cookie });
    expect([response.status, response.headers.getSetCookie()]).toEqual([201, []]);
    expect((await dana.call('GET', '/api/workspaces')).json.data).toEqual([]);
  });
});

describe('a demo sends into the sandbox only', () => {
  const outsideChannels = () => [
    {
      type: 'email',
      configuration: {
        smtp_host: '127.0.0.1',
        smtp_port: portOf(outside),
        username: 'ben',
        password: 'a-password',
        from_email: 'ben@example.com',
        use_tls: false,
      },
    },
    {
      type: 'sms',
      configuration: {
        provider: 'twilio',
        base_url: url,
        api_key: `AC${'0'.repeat(32)}`,
        api_secret: 'a-secret',
        from_number: '+15005550006',
      },
    },
    { type: 'whatsapp', configuration: { provider: 'waha', base_url: url, session_name: 'default' } },
    { type: 'webhook', configuration: { url: `${url}/hook` } },
    { type: 'slack', configuration: { method: 'webhook', webhook_url: `${url}/services/T0/B0/x` } },
  ];

  /** Adds them to the workspace, newer than those that it has. */
  async function addChannels(of: Visitor): Promise<{ id: string; type: string }[]> {
    const added = [];
    for (const channel of outsideChannels()) {
      const { status, json } = await post(of, '/api/channels', { name: `Outside ${channel.type}`, ...channel });
      expect(status, JSON.stringify(json)).toBe(201);
      added.push({ id: json.id, type: channel.type });
    }
    return added;
  }

  /** A browser of a push service that is not the sandbox's. */
  async function subscribe(of: Visitor): Promise<void> {
    await cuebird.owner.query(
      `insert into push_subscriptions (workspace_id, user_id, endpoint, p256dh, auth)
       select workspace_id, user_id, $2, $3, $4 from workspace_members where workspace_id = $1`,
      [
        of.workspace,
        `${url}/push/${of.workspace}`,
        'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
        'tBHItJI5svbpez7KI4CCXg',
      ],
    );
  }

  const everyChannel = ['email', 'sms', 'whatsapp', 'webhook', 'slack', 'push'];
  const everybody = () => ['erin@example.com', '+12025550199', `${url}/theirs`];

  const statusesOf = async (of: Visitor, job: string) =>
    (await get(of, `/api/jobs/${job}/deliveries`)).json.data.map(
      ({ channel, status }: { channel: string; status: string }) => `${channel} ${status}`,
    );

  /** Waits until each of the channels has a message in the Inbox. */
  const untilInInbox = (of: Visitor, subject: string, channels: readonly string[]) =>
    expect
      .poll(
        async () => {
          const { rows } = await cuebird.owner.query(
            `select distinct channel from sandbox_messages where workspace_id = $1 and (subject like $2 or body_text like $2) order by channel`,
            [of.workspace, `%${subject}%`],
          );
          return rows.map(({ channel }) => channel);
        },
        { timeout: 30_000 },
      )
      .toEqual([...channels].sort());

  const reminder = (name: string, of: { channels: string[]; recipients: string[] }) => ({
    name,
    status: 'active',
    schedule_config: {
      type: 'scheduled',
      scheduleType: 'once',
      startDate: Temporal.Now.instant().toString().slice(0, 19) + 'Z',
      timezone: 'UTC',
    },
    content: { subject: name, message: `${name} has a message`, recipients: of.recipients },
    metadata: { channels: of.channels },
  });

  let channels: { id: string; type: string }[];
  beforeAll(async () => {
    channels = await addChannels(ben);
    await subscribe(ben);
    // Text messages wait for no sending hours.
    await ben.person.call('PATCH', `/api/workspaces/${ben.workspace}`, {
      workspace: ben.workspace,
      body: {
        settings: {
          sendingHours: {
            enabled: false,
            days: [1],
            from: '09:00',
            to: '10:00',
            zone: 'workspace',
            timezone: 'UTC',
            channels: ['sms'],
          },
        },
      },
    });
  });

  it('over every channel type, whatever channels and addresses a reminder has', async () => {
    const before = visits;
    const of = { channels: everyChannel, recipients: everybody() };
    expect((await post(ben, '/api/reminders', reminder('All at once', of))).status).toBe(201);
    await untilInInbox(ben, 'All at once', everyChannel);
    expect(visits).toBe(before);
  });

  it.each(['email', 'sms', 'webhook', 'push'])('by API key, over a %s channel that it names', async (type) => {
    const { json: key } = await post(ben, '/api/api-keys', { name: `Key for ${type}`, scopes: ['send', 'read'] });
    const { json: template } = await post(ben, '/api/templates', {
      name: `By key ${type}`,
      content: { type, subject: `By key ${type}`, body: `By key ${type}` },
    });
    const recipient = { email: 'erin@example.com', sms: '+12025550199', webhook: `${url}/theirs` }[type];
    const before = visits;
    const response = await fetch(`${cuebird.url}/api/notifications/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        template_id: template.id,
        channel_id: channels.find((channel) => channel.type === type)?.id,
        recipient,
      }),
    });
    expect(response.status).toBe(202);
    await untilInInbox(ben, `By key ${type}`, [type]);
    expect(visits).toBe(before);
  });

  it('when an event triggers it through a hook', async () => {
    const of = { channels: ['email', 'webhook'], recipients: everybody() };
    const { json: made } = await post(ben, '/api/reminders', {
      ...reminder('By a hook', of),
      schedule_config: { type: 'event-based', eventTrigger: 'custom_webhook', delayAmount: 0, delayUnit: 'minutes' },
    });
    const { json: hook } = await get(ben, `/api/reminders/${made.id}/hook`);
    const before = visits;
    const response = await fetch(hook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ recipients: [`${url}/named-by-the-event`], data: {} }),
    });
    expect(response.ok).toBe(true);
    await expect.poll(() => countInbox('By a hook')).toBeGreaterThan(0);
    expect(visits).toBe(before);
  });

  const countInbox = async (text: string) => {
    const { rows } = await cuebird.owner.query(
      'select count(*)::int as count from sandbox_messages where workspace_id = $1 and (subject like $2 or body_text like $2)',
      [ben.workspace, `%${text}%`],
    );
    return rows[0].count;
  };

  it.each(['email', 'sms', 'whatsapp', 'webhook', 'slack'])('when a %s channel is tested or verified', async (type) => {
    const { id } = channels.find((channel) => channel.type === type) ?? { id: '' };
    const before = visits;
    const recipient = { email: 'erin@example.com', webhook: '', slack: '#general' }[type] ?? '+12025550199';
    const tested = await post(ben, `/api/channels/${id}/test`, { recipient, message: `Test of ${type}` });
    expect(tested.json).toMatchObject({ success: true });
    await untilInInbox(ben, `Test of ${type}`, [type]);
    const { status, json } = await post(ben, `/api/channels/${id}/verify`, {});
    if (status === 200) expect(json).toMatchObject({ success: false });
    expect(visits).toBe(before);
  });

  it('when push is tried in a browser', async () => {
    const before = visits;
    const tried = await post(ben, '/api/push-subscriptions/test', { endpoint: `${url}/push/${ben.workspace}` });
    expect([tried.status, tried.json]).toMatchObject([200, { outcome: 'accepted' }]);
    await untilInInbox(ben, 'Push notifications work', ['push']);
    expect(visits).toBe(before);
  });

  it('when a reminder is tested', async () => {
    const { json: draft } = await post(ben, '/api/reminders', {
      ...reminder('A test', { channels: ['email', 'webhook'], recipients: everybody() }),
      status: 'draft',
    });
    const before = visits;
    const { status, json } = await post(ben, `/api/reminders/${draft.id}/test`, {
      recipients: everybody(),
      subject: 'A test',
      message: 'A test',
    });
    expect(status).toBeLessThan(300);
    await expect
      .poll(() => statusesOf(ben, json.job_id))
      .toEqual(expect.arrayContaining(['email accepted', 'webhook accepted']));
    expect(visits).toBe(before);
  });

  it('and mails nobody an invitation or a link of an account', async () => {
    const before = visits;
    const invited = await post(ben, `/api/workspaces/${ben.workspace}/invitations`, {
      email: 'erin@example.com',
      role: 'member',
    });
    expect([invited.status, invited.json.error.message]).toEqual([
      422,
      'Nobody can be invited into the demo. Sign up to have a workspace of your own.',
    ]);
    const { json: account } = await ben.person.call('GET', '/api/account');
    const accountMail = async () => {
      const { rows } = await cuebird.owner.query(
        'select count(*)::int as count from sandbox_messages where workspace_id is null and recipient = $1',
        [account.email],
      );
      return rows[0].count;
    };
    await ben.person.call('POST', '/api/auth/request-password-reset', { body: { email: account.email } });
    const change = await ben.person.call('POST', '/api/account/email', { body: { email: 'mine@example.com' } });
    expect(change.status).toBe(403);
    expect(await accountMail()).toBe(0);
    // What people ask support is mailed by the installation, which sends into the sandbox wherever there are demos.
    const asked = await ben.person.call('POST', '/api/support-requests', {
      body: { email: 'ben@example.com', category: 'other', subject: 'A question', message: 'How does it work?' },
    });
    expect(asked.status).toBeLessThan(500);
    expect(visits).toBe(before);
  });

  // Last of these: what failed is tried again later.
  it('as no other workspace does', async () => {
    const erin = await cuebird.signUp('Erin');
    const other = { person: erin, workspace: await erin.createWorkspace('Oak Street') };
    await addChannels(other);
    await subscribe(other);
    const before = visits;
    const of = { channels: everyChannel, recipients: everybody() };
    expect((await post(other, '/api/reminders', reminder('Outside', of))).status).toBe(201);
    await expect.poll(() => visits - before).toBeGreaterThanOrEqual(everyChannel.length);
  });

  it('also from another workspace that its visitor makes', async () => {
    const { json } = await ben.person.call('POST', '/api/workspaces', { body: { name: 'A second one' } });
    expect(json.demo_until).not.toBeNull();
  });

  it('and lets nobody else in, nor its visitor out', async () => {
    const frank = await cuebird.signUp('Frank');
    const own = await frank.createWorkspace('Pine Street');
    const { rows } = await cuebird.owner.query('select user_id from workspace_members where workspace_id = $1', [
      cleo.workspace,
    ]);
    const join = (workspace: string, user: string) =>
      cuebird.owner.query("insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'member')", [
        workspace,
        user,
      ]);
    await expect(join(cleo.workspace, frank.userId)).rejects.toThrow('belongs to demos only');
    await expect(join(own, rows[0].user_id)).rejects.toThrow('belongs to demos only');
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
    await expect.poll(async () => (await get(ben, '/api/dashboard')).status).toBe(401);
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
    expect((await get(cleo, '/api/dashboard')).status).toBe(200);
  });
});
