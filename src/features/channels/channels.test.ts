import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSecretBox } from '#platform/secrets.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { addMember } from '#testing/owner.ts';

const hook = { url: 'http://127.0.0.1:2/hook', secret: 'whsec_c2VjcmV0IG9mIERhbmEhIQ==' };
const mailServer = {
  smtp_host: '127.0.0.1',
  smtp_port: 2525,
  username: 'dana@example.com',
  password: 'hunter2 of Dana',
  from_name: 'Dana',
};

describe('channels', () => {
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

  const create = (type: string, configuration: object, as = dana) =>
    as.call('POST', '/api/channels', { workspace, body: { name: 'Channel', type, configuration } });

  const update = (id: string, body: object, as = dana) => as.call('PATCH', `/api/channels/${id}`, { workspace, body });

  async function stored(id: string) {
    const { rows } = await database.query<{
      sealed_secrets: Record<string, string>;
      configuration: object;
      is_verified: boolean;
    }>('select sealed_secrets, configuration, is_verified from channels where id = $1', [id]);
    const [row] = rows;
    if (row === undefined) throw new Error('there is no such row');
    return row;
  }

  const opened = (id: string, sealed: string | undefined) =>
    createSecretBox(TEST_ENCRYPTION_KEY).open(sealed ?? '', { workspaceId: workspace, channelId: id });

  describe('keep their secrets', () => {
    it.each([
      ['webhook', hook, 'secret', hook.secret],
      ['email', mailServer, 'password', mailServer.password],
    ])('of %s sealed in the database and out of every answer', async (type, configuration, field, secret) => {
      const created = await create(type, configuration);
      expect(created.status).toBe(201);
      expect(created.json.secrets_set).toEqual([field]);
      expect(created.json.configuration).not.toHaveProperty(field);
      const listed = await dana.call('GET', '/api/channels', { workspace });
      const updated = await update(created.json.id, { name: 'Renamed' });
      for (const answer of [created, listed, updated]) expect(JSON.stringify(answer.json)).not.toContain(secret);
      expect(JSON.stringify(listed.json)).not.toContain('sealed');

      const row = await stored(created.json.id);
      expect(JSON.stringify(row)).not.toContain(secret);
      expect(opened(created.json.id, row.sealed_secrets[field])).toBe(secret);
    });

    it('when an update omits them or leaves them blank, and accept a new one', async () => {
      const { id } = (await create('webhook', hook)).json;
      const { url } = hook;
      for (const configuration of [
        { url, method: 'PUT' },
        { url, method: 'PATCH', secret: '' },
      ]) {
        const updated = await update(id, { configuration });
        expect(updated.json.configuration.method).toBe(configuration.method);
        expect(updated.json.secrets_set).toEqual(['secret']);
        expect(opened(id, (await stored(id)).sealed_secrets.secret)).toBe(hook.secret);
      }
      await update(id, { configuration: { ...hook, secret: 'another secret of Dana' } });
      expect(opened(id, (await stored(id)).sealed_secrets.secret)).toBe('another secret of Dana');
    });

    it('until null removes one', async () => {
      const { id } = (await create('webhook', { ...hook, headers: '{"x-desk": "7"}' })).json;
      const updated = await update(id, { configuration: { url: hook.url, headers: null } });
      expect(updated.json).toMatchObject({ configuration: { url: hook.url }, secrets_set: ['secret'] });
      expect(Object.keys((await stored(id)).sealed_secrets)).toEqual(['secret']);
    });

    it('for one type only: another type starts empty', async () => {
      const { id } = (await create('webhook', hook)).json;
      const changed = await update(id, { type: 'email', configuration: { ...mailServer, password: '' } });
      expect(changed.json).toMatchObject({ type: 'email', secrets_set: [] });
      expect(changed.json.configuration).not.toHaveProperty('url');
      expect(Object.keys((await stored(id)).sealed_secrets)).toEqual(['callback_token']);
      const bare = await update(id, { type: 'webhook' });
      expect(bare.json).toMatchObject({ type: 'webhook', configuration: {}, secrets_set: [] });
    });

    it('as text: anything else is refused instead of dropped', async () => {
      const refused = await create('webhook', { ...hook, secret: { key: 'x' } });
      expect(refused.status).toBe(400);
      expect(refused.json.error.fields).toEqual([{ path: 'configuration.secret', message: 'must be text' }]);
    });
  });

  describe('with a forbidden destination are refused', () => {
    it.each([
      ['http://10.0.0.5/hook', /10\.0\.0\.5 is .*which Cuebird does not connect to/],
      ['http://169.254.169.254/latest/meta-data', /169\.254\.169\.254 is /],
      ['http://[::1]/', /does not connect to/],
      ['http://192.168.1.1:8080/', /192\.168\.1\.1/],
      ['http://0x0a000005/', /10\.0\.0\.5/],
      ['http://167772165/', /10\.0\.0\.5/],
      ['http://[::ffff:10.0.0.5]/', /does not connect to/],
      ['http://user:pass@127.0.0.1/', /must not hold a user name/],
      ['ftp://127.0.0.1/', /http:\/\/ or https:\/\//],
      ['not a url', /http:\/\/ or https:\/\//],
    ])('into a private network or nowhere: %s', async (url, message) => {
      const refused = await create('webhook', { url });
      expect(refused.status).toBe(400);
      expect(refused.json.error.fields).toEqual([
        { path: 'configuration.url', message: expect.stringMatching(message) },
      ]);
    });

    it.each(['10.0.0.5', '::1', '169.254.169.254', 'a b'])('to the mail server %s', async (host) => {
      const refused = await create('email', { ...mailServer, smtp_host: host });
      expect(refused.status).toBe(400);
      expect(refused.json.error.fields[0].path).toBe('configuration.smtp_host');
    });

    it.each([
      ['sms', 'base_url', { provider: 'twilio', api_key: 'AC1', base_url: 'http://10.0.0.5/' }],
      ['whatsapp', 'base_url', { provider: 'waha', session_name: 'default', base_url: 'http://192.168.1.1:3000' }],
      ['slack', 'webhook_url', { webhook_url: 'http://169.254.169.254/services' }],
    ])('by %s’s %s', async (type, field, configuration) => {
      const refused = await create(type, configuration);
      expect(refused.status).toBe(400);
      expect(refused.json.error.fields).toEqual([
        { path: `configuration.${field}`, message: expect.stringMatching(/does not connect to/) },
      ]);
    });

    it.each([
      ['webhook', 'url', { url: 'http://127.0.0.1:25/' }],
      ['sms', 'base_url', { provider: 'twilio', api_key: 'AC1', base_url: 'http://127.0.0.1:25/' }],
      ['whatsapp', 'base_url', { provider: 'waha', session_name: 'default', base_url: 'http://127.0.0.1:25' }],
      ['slack', 'webhook_url', { webhook_url: 'http://127.0.0.1:25/services' }],
    ])('by the port of %s’s %s, which mail may have', async (type, field, configuration) => {
      expect((await create(type, configuration)).json.error.fields).toEqual([
        {
          path: `configuration.${field}`,
          message: 'Port 25 belongs to another protocol: no web address may name it',
        },
      ]);
      expect((await create('email', { ...mailServer, smtp_host: '127.0.0.1', smtp_port: 25 })).status).toBe(201);
    });

    it('also by an update, which then changes nothing', async () => {
      const { id } = (await create('webhook', hook)).json;
      const before = await stored(id);
      expect((await update(id, { configuration: { url: 'http://10.0.0.5/' } })).status).toBe(400);
      expect(await stored(id)).toEqual(before);
    });
  });

  it.each<[path: string, type: string, configuration: object]>([
    ['configuration.smtp_port', 'email', { ...mailServer, smtp_port: 70_000 }],
    ['configuration.username', 'email', { ...mailServer, username: '', from_email: 'dana@example.com' }],
    ['configuration.from_email', 'email', { ...mailServer, from_email: 'nobody' }],
    ['configuration.timeout', 'webhook', { ...hook, timeout: 121 }],
    ['configuration.headers', 'webhook', { ...hook, headers: 'no json' }],
    ['configuration.method', 'webhook', { ...hook, method: 'TRACE' }],
  ])('a wrong %s of %s is named', async (path, type, configuration) => {
    const refused = await create(type, configuration);
    expect(refused.status).toBe(400);
    expect(refused.json.error.fields).toEqual([{ path, message: expect.not.stringMatching(/^(Invalid|Too )/) }]);
  });

  it('ignore fields of another type', async () => {
    const foreign = await create('email', { ...mailServer, url: 5, base_url: null, webhook_url: ['x'] });
    expect(foreign.status).toBe(201);
    expect((await create('webhook', { ...hook, smtp_host: {}, smtp_port: 'x' })).status).toBe(201);
  });

  describe('have a provider', () => {
    const incomplete = 'Configuration incomplete';
    const twilio = { provider: 'twilio', api_key: 'AC1', api_secret: 't0ken-of-Dana', from_number: '+15005550006' };

    it.each<[string, object, string[]]>([
      ['email', {}, ['smtp_host', 'smtp_port', 'username']],
      ['sms', {}, ['provider']],
      ['sms', { provider: 'twilio' }, ['api_key']],
      ['sms', { api_key: 'k' }, ['provider']],
      ['whatsapp', {}, ['provider']],
      ['whatsapp', { provider: 'waha' }, ['base_url', 'session_name']],
      ['whatsapp', { provider: 'messagebird', api_key: '' }, ['api_key']],
      ['slack', { channel: '#general' }, ['method']],
      ['slack', { method: 'bot' }, ['bot_token']],
      ['slack', { method: 'webhook', webhook_url: ' ' }, ['webhook_url']],
    ])('and are incomplete as %s with %o: %o', async (type, configuration, missing) => {
      const refused = await create(type, configuration);
      expect(refused.status).toBe(400);
      expect(refused.json.error.fields).toEqual(
        missing.map((field) => ({ path: `configuration.${field}`, message: incomplete })),
      );
    });

    it.each<[string, object]>([
      ['sms', { provider: 'twilio', api_key: 'AC1' }],
      ['sms', { provider: 'nexmo', api_key: 'k' }],
      ['whatsapp', { provider: 'whatsapp_business', api_key: 'EAA' }],
      ['whatsapp', { provider: 'waha', base_url: 'http://127.0.0.1:2', session_name: 'default' }],
    ])('and are complete as %s with %o', async (type, configuration) => {
      expect((await create(type, configuration)).status).toBe(201);
    });

    it('which must exist', async () => {
      const refused = await create('sms', { provider: 'pigeon', api_key: 'k' });
      expect(refused.json.error.fields).toEqual([
        { path: 'configuration.provider', message: 'must be one of twilio, aws_sns, messagebird, nexmo' },
      ]);
    });

    it('which Slack’s configuration need not name', async () => {
      const hooked = await create('slack', { webhook_url: 'http://127.0.0.1:2/services/T0' });
      expect(hooked.json).toMatchObject({ configuration: { method: 'webhook' }, secrets_set: ['webhook_url'] });
      const bot = await create('slack', { bot_token: 'xoxb-1', channel: '#general' });
      expect(bot.json).toMatchObject({
        configuration: { method: 'bot', channel: '#general' },
        secrets_set: ['bot_token'],
      });
    });

    it('whose secrets are separate from another’s', async () => {
      const { id } = (await create('sms', twilio)).json;
      const same = await update(id, { configuration: { ...twilio, api_secret: '' } });
      expect(same.json.secrets_set).toEqual(['api_secret']);
      const unnamed = await update(id, { configuration: { api_key: 'AC2' } });
      expect(unnamed.json).toMatchObject({ configuration: { provider: 'twilio' }, secrets_set: ['api_secret'] });
      const other = await update(id, { configuration: { provider: 'nexmo', api_key: 'k' } });
      expect(other.json.secrets_set).toEqual([]);
      expect(Object.values((await stored(id)).sealed_secrets)).toHaveLength(1);
    });

    it('which reports to the channel’s callback URL', async () => {
      const { json } = await create('sms', twilio);
      expect(json.callback_url).toMatch(/^http:\/\/localhost:\d+\/api\/callbacks\/twilio\/[\w-]{64}$/);
      const again = await create('sms', twilio);
      expect(again.json.callback_url).not.toBe(json.callback_url);
      for (const [type, configuration] of [
        ['sms', { provider: 'aws_sns', api_key: 'AKIA' }],
        ['webhook', hook],
      ] as const)
        expect((await create(type, configuration)).json.callback_url).toBeNull();
    });
  });

  it('have types, each with the form of its providers', async () => {
    const { json } = await dana.call('GET', '/api/channel-types', { workspace });
    expect(json.data.map(({ type, provider_field: field }: Record<string, unknown>) => [type, field])).toEqual([
      ['email', null],
      ['sms', 'provider'],
      ['whatsapp', 'provider'],
      ['webhook', null],
      ['slack', 'method'],
    ]);
    const [waha] = json.data[2].providers;
    expect(waha).toMatchObject({ provider: 'waha', title: 'WAHA', can_verify: true, has_callbacks: true });
    expect(waha.fields.map(({ name, required, secret }: Record<string, unknown>) => [name, required, secret])).toEqual([
      ['base_url', true, false],
      ['session_name', true, false],
      ['api_key', false, true],
      ['hmac_key', false, true],
      ['default_country', false, false],
    ]);
    const [{ fields }] = json.data[0].providers;
    expect(fields).toContainEqual({
      name: 'smtp_port',
      label: 'SMTP Port',
      kind: 'number',
      required: true,
      placeholder: '587',
      secret: false,
      decides_destination: true,
    });
  });

  it('an update changes what it names and nothing else', async () => {
    const { id } = (await create('webhook', hook)).json;
    await update(id, { is_active: false });
    await database.query('update channels set is_verified = true where id = $1', [id]);
    const renamed = await update(id, { name: '  Renamed  ' });
    expect(renamed.json).toMatchObject({ name: 'Renamed', is_active: false, is_verified: true, type: 'webhook' });
    expect(renamed.json.configuration).toEqual({ url: hook.url });
  });

  it('a changed configuration must be verified again', async () => {
    const { id } = (await create('webhook', hook)).json;
    await database.query('update channels set is_verified = true where id = $1', [id]);
    expect((await update(id, { configuration: { url: hook.url, method: 'PUT' } })).json.is_verified).toBe(false);
  });

  it('are managed by admins and visible to members', async () => {
    const { id } = (await create('webhook', hook)).json;
    const [admin, member] = [await cuebird.signUp('Admin'), await cuebird.signUp('Member')];
    await addMember(database, { workspace, userId: admin.userId, role: 'admin' });
    await addMember(database, { workspace, userId: member.userId, role: 'member' });
    expect((await member.call('GET', '/api/channels', { workspace })).json.data).toHaveLength(1);
    for (const answer of [
      await create('webhook', hook, member),
      await update(id, { name: 'Mine' }, member),
      await member.call('DELETE', `/api/channels/${id}`, { workspace }),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.json.error.message).toBe('Only workspace admins may do this');
    }
    expect((await update(id, { name: 'Ours' }, admin)).json.name).toBe('Ours');
    expect((await admin.call('DELETE', `/api/channels/${id}`, { workspace })).status).toBe(200);
    expect((await admin.call('DELETE', `/api/channels/${id}`, { workspace })).status).toBe(404);
  });

  it('are listed with the newest change first', async () => {
    const first = (await create('webhook', hook)).json.id;
    const second = (await create('webhook', hook)).json.id;
    await update(first, { name: 'Touched' });
    const { json } = await dana.call('GET', '/api/channels', { workspace });
    expect(json.data.map((channel: { id: string }) => channel.id)).toEqual([first, second]);
  });
});
