import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { portOf } from '#sandbox/port.ts';
import { startTestCuebird, type TestCuebird } from '#testing/cuebird.ts';
import { type DemoVisitor, getAs, postAs, visitDemo } from '#testing/demo-visitor.ts';

let cuebird: TestCuebird;
/** Stands for every server on earth; it counts who comes. */
let outside: Server;
let url: string;
let visits = 0;
let ben: DemoVisitor;
let cleo: DemoVisitor;

beforeAll(async () => {
  cuebird = await startTestCuebird({ env: { DEMO: 'on' } });
  outside = createServer((socket) => {
    visits += 1;
    socket.on('error', () => {});
    socket.destroy();
  });
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${portOf(outside)}`;
  [ben, cleo] = [await visitDemo(cuebird), await visitDemo(cuebird)];
});
afterAll(async () => {
  outside.close();
  await cuebird.stop();
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
  async function addChannels(of: DemoVisitor): Promise<{ id: string; type: string }[]> {
    const added = [];
    for (const channel of outsideChannels()) {
      const { status, json } = await postAs(of, '/api/channels', { name: `Outside ${channel.type}`, ...channel });
      expect(status, JSON.stringify(json)).toBe(201);
      added.push({ id: json.id, type: channel.type });
    }
    return added;
  }

  /** A browser of a push service that is not the sandbox's. */
  async function subscribe(of: DemoVisitor): Promise<void> {
    await cuebird.owner.query(
      `insert into push_browsers (workspace_id, user_id, endpoint, p256dh, auth)
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

  const statusesOf = async (of: DemoVisitor, job: string) =>
    (await getAs(of, `/api/jobs/${job}/deliveries`)).json.data.map(
      ({ channel, status }: { channel: string; status: string }) => `${channel} ${status}`,
    );

  /** Waits until each of the channels has a message in the Inbox. */
  const untilInInbox = (of: DemoVisitor, subject: string, channels: readonly string[]) =>
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
    expect((await postAs(ben, '/api/reminders', reminder('All at once', of))).status).toBe(201);
    await untilInInbox(ben, 'All at once', everyChannel);
    expect(visits).toBe(before);
  });

  it.each(['email', 'sms', 'webhook', 'push'])('by API key, over a %s channel that it names', async (type) => {
    const { json: key } = await postAs(ben, '/api/api-keys', { name: `Key for ${type}`, scopes: ['send', 'read'] });
    const { json: template } = await postAs(ben, '/api/templates', {
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
    const { json: made } = await postAs(ben, '/api/reminders', {
      ...reminder('By a hook', of),
      schedule_config: { type: 'event-based', eventTrigger: 'custom_webhook', delayAmount: 0, delayUnit: 'minutes' },
    });
    const { json: hook } = await getAs(ben, `/api/reminders/${made.id}/hook`);
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
    const tested = await postAs(ben, `/api/channels/${id}/test`, { recipient, message: `Test of ${type}` });
    expect(tested.json).toMatchObject({ success: true });
    await untilInInbox(ben, `Test of ${type}`, [type]);
    const { status, json } = await postAs(ben, `/api/channels/${id}/verify`, {});
    if (status === 200) expect(json).toMatchObject({ success: false });
    expect(visits).toBe(before);
  });

  it('when push is tried in a browser', async () => {
    const before = visits;
    const tried = await postAs(ben, '/api/push-browsers/test', { endpoint: `${url}/push/${ben.workspace}` });
    expect([tried.status, tried.json]).toMatchObject([200, { outcome: 'accepted' }]);
    await untilInInbox(ben, 'Push notifications work', ['push']);
    expect(visits).toBe(before);
  });

  it('when a reminder is tested', async () => {
    const { json: draft } = await postAs(ben, '/api/reminders', {
      ...reminder('A test', { channels: ['email', 'webhook'], recipients: everybody() }),
      status: 'draft',
    });
    const before = visits;
    const { status, json } = await postAs(ben, `/api/reminders/${draft.id}/test`, {
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
    const invited = await postAs(ben, `/api/workspaces/${ben.workspace}/invitations`, {
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
    expect((await postAs(other, '/api/reminders', reminder('Outside', of))).status).toBe(201);
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
