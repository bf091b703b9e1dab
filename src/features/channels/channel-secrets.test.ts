import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adapters, destinationFieldsOf } from '#delivery/registry.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { addMember } from '#testing/owner.ts';
import { sample } from '#testing/sample.ts';
import { otherValues, sampleConfiguration } from '#testing/sample-configuration.ts';
import { startSink, type Sink } from '#testing/sink.ts';

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

const update = (id: string, configuration: object, as = dana) =>
  as.call('PATCH', `/api/channels/${id}`, { workspace, body: { configuration } });

async function create(type: string, configuration: object): Promise<string> {
  const { json } = await dana.call('POST', '/api/channels', {
    workspace,
    body: { name: 'Front desk', type, configuration },
  });
  expect(json.error).toBeUndefined();
  return json.id;
}

async function stored(id: string): Promise<{ configuration: object; sealed_secrets: Record<string, string> }> {
  const { rows } = await database.query('select configuration, sealed_secrets from channels where id = $1', [id]);
  return rows[0];
}

const opened = (id: string, sealed: string | undefined) =>
  createSecretBox(TEST_ENCRYPTION_KEY).open(sealed ?? '', { workspaceId: workspace, channelId: id });

async function acts(id: string) {
  const { rows } = await database.query(
    'select actor_id, action, details from audit_log where target = $1 order by created_at, id',
    [id],
  );
  return rows.map(({ actor_id, action, details }) => ({ actor_id, action, details }));
}

/** Every provider with secrets, from the list of all of them. */
const withSecrets = adapters
  .filter(({ secretFields }) => secretFields.length > 0)
  .map((adapter) => [`${adapter.type}/${adapter.provider}`, adapter] as const);

const half = sample.draw(withSecrets, { name: 'secrets of channels', count: Math.ceil(withSecrets.length / 2) });

describe.each(half)('the secrets of a channel over %s', (_, adapter) => {
  const whole = sampleConfiguration(adapter, { origin: 'http://127.0.0.1:2' });
  const isSecret = (name: string) => adapter.secretFields.includes(name);
  const shown = Object.fromEntries(Object.entries(whole).filter(([name]) => !isSecret(name)));
  const secrets = Object.fromEntries(Object.entries(whole).filter(([name]) => isSecret(name)));
  const deciding = destinationFieldsOf(adapter).filter(({ name }) => !isSecret(name));

  /** Another value that the provider takes, for a field that decides where secrets go. */
  const elsewhere = deciding.map((field) => {
    const values = otherValues(field, 'http://127.0.0.2:2').filter((value) => value !== whole[field.name]);
    const value = values.find((each) => adapter.shape.safeParse({ ...whole, [field.name]: each }).success);
    return { field, value };
  });

  it('must be entered again when their destination changes, and a refusal names each missing one', async () => {
    const id = await create(adapter.type, whole);
    const before = await stored(id);
    for (const { field, value } of elsewhere) {
      const refused = await update(id, { ...shown, [field.name]: value });
      expect(refused.status).toBe(400);
      expect(refused.json.error.fields).toEqual(
        adapter.secretFields
          .filter((name) => name in secrets)
          .map((name) => ({
            path: `configuration.${name}`,
            message: `must be entered again: ${field.label} decides where it goes, and was changed`,
          })),
      );
      expect(await stored(id)).toEqual(before);
    }
  });

  it('are stored with the new destination, and the audit log contains the names but no secret', async () => {
    const id = await create(adapter.type, whole);
    for (const { field, value } of elsewhere) {
      expect((await update(id, { ...shown, ...secrets, [field.name]: value })).status).toBe(200);
      const [moved, entered] = (await acts(id)).slice(-2);
      expect(moved).toMatchObject({ actor_id: dana.userId, action: 'channel.destination_changed' });
      expect(moved?.details).toEqual({
        name: 'Front desk',
        [field.name]: expect.stringContaining(` -> ${String(value)}`),
      });
      expect(entered).toMatchObject({ actor_id: dana.userId, action: 'channel.secrets_changed' });
      expect(entered?.details.set.split(', ').sort()).toEqual(Object.keys(secrets).sort());
      expect((await update(id, { ...shown, ...secrets })).status).toBe(200);
    }
    const log = JSON.stringify(await acts(id));
    for (const secret of Object.values(secrets)) expect(log).not.toContain(secret);
  });

  it('may be removed instead when they are optional', async () => {
    const without = Object.fromEntries(Object.keys(secrets).map((name) => [name, null]));
    const isEnough = adapter.shape.safeParse(shown).success;
    for (const { field, value } of elsewhere) {
      const id = await create(adapter.type, whole);
      const answer = await update(id, { ...shown, ...without, [field.name]: value });
      expect(answer.status).toBe(isEnough ? 200 : 400);
      if (isEnough) expect(answer.json.secrets_set).toEqual([]);
    }
  });

  it('are kept by any other change', async () => {
    const id = await create(adapter.type, whole);
    const { sealed_secrets: before } = await stored(id);
    const others = adapter.fields.filter(
      ({ name }) => !isSecret(name) && !destinationFieldsOf(adapter).some((field) => field.name === name),
    );
    for (const field of others) {
      const values = otherValues(field, 'http://127.0.0.2:2');
      const value = values.find((each) => adapter.shape.safeParse({ ...whole, [field.name]: each }).success);
      if (value === undefined) continue;
      expect((await update(id, { ...shown, [field.name]: value })).status).toBe(200);
      const { sealed_secrets: after } = await stored(id);
      for (const name of Object.keys(secrets)) expect(after[name]).toBe(before[name]);
    }
    const actions = (await acts(id)).map(({ action }) => action);
    expect(actions.filter((action) => action !== 'channel.mentions_allowed')).toEqual(['channel.created']);
  });
});

describe('the secrets of a channel', () => {
  const mailServer = {
    smtp_host: '127.0.0.1',
    smtp_port: 2525,
    username: 'dana@example.com',
    password: 'hunter2 of Dana',
  };

  it('are required one by one, except those in the request', async () => {
    const id = await create('webhook', {
      url: 'http://127.0.0.1:2/',
      headers: '{"x-desk": "7"}',
      secret: 'sesame of the desk',
    });
    const refused = await update(id, { url: 'http://127.0.0.2:2/', secret: 'sesame of the desk' });
    expect(refused.json.error.fields.map(({ path }: { path: string }) => path)).toEqual(['configuration.headers']);
    const blank = await update(id, { url: 'http://127.0.0.2:2/', secret: '', headers: null });
    expect(blank.json.error.fields.map(({ path }: { path: string }) => path)).toEqual(['configuration.secret']);
    const taken = await update(id, { url: 'http://127.0.0.2:2/', secret: 'sesame of the desk', headers: null });
    expect(taken.json.secrets_set).toEqual(['secret']);
    expect((await acts(id)).at(-1)?.details).toEqual({ name: 'Front desk', set: 'secret', removed: 'headers' });
  });

  it('are required when the destination is omitted, and not when it is only spelled differently', async () => {
    const id = await create('email', { ...mailServer, use_tls: false });
    const { password: _, ...shown } = mailServer;
    expect((await update(id, shown)).status).toBe(400);
    expect((await update(id, { ...shown, smtp_port: '2525', use_tls: false })).status).toBe(200);
    expect(opened(id, (await stored(id)).sealed_secrets.password)).toBe(mailServer.password);
  });

  it('are sent to a newly trusted origin only if they are entered again', async () => {
    const url = 'http://127.0.0.1:2/';
    const id = await create('webhook', { url, headers: '{"x-desk": "7"}' });
    const trusting = { url, trusted_origins: 'http://127.0.0.2:2\nhttps://hooks.example.com' };
    expect((await update(id, trusting)).json.error.fields).toEqual([
      {
        path: 'configuration.headers',
        message: 'must be entered again: Trusted Origins decides where it goes, and was changed',
      },
    ]);
    expect((await update(id, { ...trusting, headers: '{"x-desk": "7"}' })).json.configuration).toEqual(trusting);
  });

  it.each([
    ['webhook', { url: 'http://127.0.0.1:2/' }, 'secret'],
    ['whatsapp', { provider: 'waha', base_url: 'http://127.0.0.1:2', session_name: 'default' }, 'hmac_key'],
    ['whatsapp', { provider: 'whatsapp_business', api_key: 'EAA' }, 'verify_token'],
  ])(
    'of %s that people choose have at least 16 characters; shorter stored ones keep working',
    async (type, more, field) => {
      const body = (secret: string) => ({ name: 'Desk', type, configuration: { ...more, [field]: secret } });
      const short = await dana.call('POST', '/api/channels', { workspace, body: body('fifteen-letters') });
      expect(short.status).toBe(400);
      expect(short.json.error.fields).toEqual([
        { path: `configuration.${field}`, message: 'must be at least 16 characters' },
      ]);

      const id = await create(type, body('sixteen-letters!').configuration);
      const { sealed_secrets: sealed } = await stored(id);
      const context = { workspaceId: workspace, channelId: id };
      const old = { ...sealed, [field]: createSecretBox(TEST_ENCRYPTION_KEY).seal('short', context) };
      await database.query('update channels set sealed_secrets = $2 where id = $1', [id, old]);
      expect((await update(id, { ...more, default_country: 'DE' })).status).toBe(200);
      expect(opened(id, (await stored(id)).sealed_secrets[field])).toBe('short');
      expect((await update(id, { ...more, [field]: 'short' })).status).toBe(400);
    },
  );

  it('of Standard Webhooks have at least 16 bytes', async () => {
    const configuration = { url: 'http://127.0.0.1:2/', secret: 'whsec_c2VjcmV0c2VjcmV0' };
    const short = await dana.call('POST', '/api/channels', {
      workspace,
      body: { name: 'Desk', type: 'webhook', configuration },
    });
    expect(short.json.error.fields).toEqual([
      { path: 'configuration.secret', message: 'after whsec_ must be base64 of at least 16 bytes' },
    ]);
  });

  it('are audited as changes with their author', async () => {
    const id = await create('email', mailServer);
    await update(id, { ...mailServer, smtp_port: 2526 });
    await dana.call('PATCH', `/api/channels/${id}`, { workspace, body: { name: 'Back office' } });
    await dana.call('DELETE', `/api/channels/${id}`, { workspace });
    expect(await acts(id)).toEqual([
      {
        actor_id: dana.userId,
        action: 'channel.created',
        details: {
          name: 'Front desk',
          type: 'email',
          provider: 'smtp',
          smtp_host: '127.0.0.1',
          smtp_port: '2525',
          use_tls: 'true',
          set: 'password',
        },
      },
      {
        actor_id: dana.userId,
        action: 'channel.destination_changed',
        details: { name: 'Front desk', smtp_port: '2525 -> 2526' },
      },
      { actor_id: dana.userId, action: 'channel.secrets_changed', details: { name: 'Front desk', set: 'password' } },
      { actor_id: dana.userId, action: 'channel.renamed', details: { from: 'Front desk', to: 'Back office' } },
      { actor_id: dana.userId, action: 'channel.deleted', details: { name: 'Back office', type: 'email' } },
    ]);
  });

  describe('of a webhook', () => {
    let sink: Sink;
    let member: TestPerson;
    beforeAll(async () => {
      sink = await startSink();
      member = await cuebird.signUp('Member');
    });
    afterAll(() => sink.close());

    it.each(['GET', 'POST'])('do not reach a member who tests it with a URL of their own, by %s', async (method) => {
      await addMember(database, { workspace, userId: member.userId, role: 'member' });
      const configuration = {
        method,
        headers: '{"Authorization": "Bearer of-the-desk"}',
        secret: 'sesame of the desk',
      };
      const id = await create('webhook', { url: 'http://127.0.0.1:2/desk', ...configuration });
      const body = { recipient: sink.urlFor('elsewhere') };
      const answer = await member.call('POST', `/api/channels/${id}/test`, { workspace, body });
      expect(answer.json).toMatchObject({ success: true });
      const call = sink.calls.at(-1);
      expect(call).toMatchObject({ recipient: expect.stringMatching(/^elsewhere/) });
      expect(JSON.stringify(call)).not.toMatch(/of-the-desk|webhook-signature/);
      expect(call?.headers).toHaveProperty('webhook-id');

      await update(id, {
        url: 'http://127.0.0.1:2/desk',
        ...configuration,
        trusted_origins: new URL(body.recipient).origin,
      });
      await member.call('POST', `/api/channels/${id}/test`, { workspace, body });
      expect(sink.calls.at(-1)?.headers).toMatchObject({
        authorization: 'Bearer of-the-desk',
        'webhook-signature': expect.stringMatching(/^v1,/),
      });
    });

    it('can be redirected only by admins', async () => {
      await addMember(database, { workspace, userId: member.userId, role: 'member' });
      const id = await create('webhook', { url: 'http://127.0.0.1:2/', secret: 'sesame of the desk' });
      const trusting = { url: 'http://127.0.0.1:2/', secret: 'sesame of the desk', trusted_origins: sink.urlFor('') };
      expect((await update(id, trusting, member)).status).toBe(403);
    });
  });
});
