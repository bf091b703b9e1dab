import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { apiKeyOf, workspaceOfApiKey } from '#features/api-keys/api-key-token.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('API keys', () => {
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

  const make = (body: object = {}) =>
    dana.call('POST', '/api/api-keys', {
      workspace,
      body: { name: 'CRM', scopes: ['send', 'read', 'manage'], ...body },
    });

  const keyOf = async (body: object = {}): Promise<string> => (await make(body)).json.key;

  /** A request with an API key and no cookie. */
  async function call(
    key: string,
    path = '/api/reminders',
    { method = 'GET', body, headers = {}, url = cuebird.url }: CallOptions = {},
  ) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const json: any = await response.json();
    return { status: response.status, headers: response.headers, json };
  }
  type CallOptions = { method?: string; body?: object; headers?: Record<string, string>; url?: string };

  const acts = async () => {
    const { rows } = await database.query(
      "select action, actor_id, target, details from audit_log where workspace_id = $1 and action like 'api_key.%' order by created_at, id",
      [workspace],
    );
    return rows;
  };

  describe('that is created', () => {
    it('is shown only once, and its secret is not stored', async () => {
      const made = await make({ expires_at: '2099-01-01T00:00:00+02:00' });
      expect(made.status).toBe(201);
      const { key, ...shown } = made.json;
      expect(key).toMatch(/^cue_[\w-]{64}$/);
      expect(shown).toMatchObject({
        name: 'CRM',
        scopes: ['send', 'read', 'manage'],
        excludes_admin: false,
        prefix: key.slice(0, 12),
        created_by: dana.userId,
        owned_by: dana.userId,
        expires_at: '2098-12-31T22:00:00.000Z',
        revoked_at: null,
        last_used_at: null,
      });
      const list = await dana.call('GET', '/api/api-keys', { workspace });
      expect(list.json).toEqual({ data: [shown], next_cursor: null });
      const { rows } = await database.query('select to_jsonb(k)::text as row from api_keys k where id = $1', [
        shown.id,
      ]);
      expect(rows[0].row).not.toContain(key.slice(12));
    });

    it('ends after a year, unless it is given another end or none', async () => {
      const before = Temporal.Now.instant();
      const usual = Temporal.Instant.from((await make()).json.expires_at);
      expect(Math.round(usual.since(before).total('hours') / 24)).toBe(365);
      expect((await make({ expires_at: null })).json.expires_at).toBeNull();
    });

    it('contains its workspace, and has a prefix of its own', async () => {
      const [one, other] = [await keyOf(), await keyOf()];
      expect(workspaceOfApiKey(one)).toBe(workspace);
      expect(one.slice(4, 12)).not.toBe(other.slice(4, 12));
    });

    it('is listed in pages, newest first', async () => {
      for (const name of ['a', 'b', 'c']) await make({ name });
      const first = await dana.call('GET', '/api/api-keys?limit=2', { workspace });
      const rest = await dana.call('GET', `/api/api-keys?limit=2&cursor=${first.json.next_cursor}`, { workspace });
      expect([...first.json.data, ...rest.json.data].map(({ name }) => name)).toEqual(['c', 'b', 'a']);
      expect(rest.json.next_cursor).toBeNull();
    });

    it.each([
      [{ name: ' ' }, 'name', 'Name required'],
      [{ name: 'x'.repeat(101) }, 'name', 'must be at most 100 characters'],
      [{ scopes: ['own'] }, 'scopes.0', 'must be one of send, read, manage'],
      [{ scopes: [] }, 'scopes', 'Choose what the key may do'],
      [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at', 'must be in the future'],
      [
        { expires_at: 'tomorrow' },
        'expires_at',
        'must be a date and time with its offset, such as 2026-12-01T09:00:00Z',
      ],
    ])('%o is refused at %s', async (body, path, message) => {
      const refused = await make(body);
      expect(refused.status).toBe(400);
      expect(refused.json.error.fields).toEqual([{ path, message }]);
    });

    it('is audited, as is its revocation', async () => {
      const { id, prefix } = (await make({ scopes: ['read', 'send', 'read'] })).json;
      const revoke = () => dana.call('DELETE', `/api/api-keys/${id}`, { workspace });
      const first = await revoke();
      expect(first.json.revoked_at).not.toBeNull();
      expect((await revoke()).json).toEqual(first.json);
      expect(await acts()).toEqual([
        {
          action: 'api_key.created',
          actor_id: dana.userId,
          target: id,
          details: { name: 'CRM', scopes: 'send, read', prefix },
        },
        {
          action: 'api_key.revoked',
          actor_id: dana.userId,
          target: id,
          details: { name: 'CRM', prefix },
        },
      ]);
    });
  });

  describe('a request with one', () => {
    it('needs no workspace: the key determines it', async () => {
      const key = await keyOf();
      const made = await call(key, '/api/reminders', { method: 'POST', body: sampleReminder });
      expect(made.status).toBe(201);
      // The author is null: an API key has no person.
      expect(made.json).toMatchObject({ workspace_id: workspace, created_by: null });
      expect((await call(key)).json.data).toHaveLength(1);
    });

    it('may name its workspace, and is refused with another one', async () => {
      const key = await keyOf();
      const other = await dana.createWorkspace('Oak Street');
      const statusFor = async (named: string) =>
        (await call(key, undefined, { headers: { 'x-workspace-id': named } })).status;
      expect([await statusFor(workspace), await statusFor(workspace.toUpperCase())]).toEqual([200, 200]);
      for (const named of [other, 'nonsense', '']) {
        const refused = await call(key, undefined, { headers: { 'x-workspace-id': named } });
        expect(refused.status).toBe(403);
        expect(refused.json.error.message).toMatch(/^This API key belongs to another workspace/);
      }
      expect((await call(key, `/api/inbox/addresses?workspace=${other}`)).status).toBe(403);
    });

    it('is accepted from another site, because it sends no cookie', async () => {
      const key = await keyOf();
      const headers = { origin: 'https://elsewhere.example' };
      const made = await call(key, '/api/reminders', { method: 'POST', body: sampleReminder, headers });
      expect(made.status).toBe(201);
    });

    it('is refused with an invalid key, even with a valid cookie', async () => {
      const headers = { cookie: dana.cookie, 'x-workspace-id': workspace };
      for (const authorization of [
        'Bearer',
        'Bearer ',
        'bearer x',
        `Bearer ${apiKeyOf(workspace, Buffer.alloc(32))}`,
      ]) {
        const response = await fetch(`${cuebird.url}/api/reminders`, { headers: { ...headers, authorization } });
        expect(response.status, authorization).toBe(401);
        expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
      }
    });

    it('uses the cookie when it also has Basic credentials of a proxy', async () => {
      const headers = { cookie: dana.cookie, 'x-workspace-id': workspace, authorization: 'Basic ZGFuYTpkYW5h' };
      expect((await fetch(`${cuebird.url}/api/reminders`, { headers })).status).toBe(200);
    });

    it.each([
      ['not a key', 'This is not an API key: copy the whole key, from cue_ to its end'],
      [apiKeyOf('00000000-0000-4000-8000-000000000000', Buffer.alloc(32, 1)), 'This API key is not known'],
    ])('with "%s" is refused: %s', async (key, message) => {
      const refused = await call(key);
      expect({ status: refused.status, error: refused.json.error }).toMatchObject({
        status: 401,
        error: { code: 'unauthenticated', message },
      });
    });

    it('is refused once the key was revoked', async () => {
      const { id, key } = (await make()).json;
      expect((await call(key)).status).toBe(200);
      await dana.call('DELETE', `/api/api-keys/${id}`, { workspace });
      const refused = await call(key);
      expect([refused.status, refused.json.error.message]).toEqual([401, 'This API key was revoked']);
    });

    it('is refused once the key has expired', async () => {
      const { id, key } = (await make({ expires_at: '2099-01-01T00:00:00Z' })).json;
      expect((await call(key)).status).toBe(200);
      await database.query("update api_keys set expires_at = '2026-01-01T00:00:00Z' where id = $1", [id]);
      const refused = await call(key);
      expect([refused.status, refused.json.error.message]).toEqual([
        401,
        'This API key expired at 2026-01-01T00:00:00.000Z',
      ]);
    });

    it('may not manage keys, with any scope', async () => {
      const key = await keyOf();
      const { id } = (await make()).json;
      for (const [method, path, body] of [
        ['GET', '/api/api-keys', undefined],
        ['POST', '/api/api-keys', { name: 'Another', scopes: ['read'] }],
        ['DELETE', `/api/api-keys/${id}`, undefined],
      ] as const) {
        const refused = await call(key, path, { method, body });
        expect([refused.status, refused.json.error.message]).toEqual([
          403,
          'An API key may not do this: sign in to do it',
        ]);
      }
    });

    it('is recorded to the minute', async () => {
      const { id, key } = (await make()).json;
      const lastUse = async () => (await dana.call('GET', '/api/api-keys', { workspace })).json.data[0].last_used_at;
      await call(key);
      const first = await lastUse();
      expect(Date.now() - Date.parse(first)).toBeLessThan(60_000);
      await call(key);
      expect(await lastUse()).toBe(first);
      await database.query("update api_keys set last_used_at = last_used_at - interval '61 seconds' where id = $1", [
        id,
      ]);
      await call(key);
      expect(Date.parse(await lastUse())).toBeGreaterThanOrEqual(Date.parse(first));
    });
  });

  describe('that is replaced', () => {
    const rotate = (id: string, body: object = {}) =>
      dana.call('POST', `/api/api-keys/${id}/rotate`, { workspace, body });

    it('has a successor with its name and scopes, and goes on working for a day or the time that was chosen', async () => {
      const { id, key } = (await make({ scopes: ['read'] })).json;
      const made = await rotate(id);
      expect([made.status, made.json]).toMatchObject([201, { name: 'CRM', scopes: ['read'], revoked_at: null }]);
      expect(made.json.id).not.toBe(id);
      expect([(await call(key)).status, (await call(made.json.key)).status]).toEqual([200, 200]);
      const { json } = await dana.call('GET', '/api/api-keys', { workspace });
      const [next, old] = json.data.map(({ expires_at: end }: { expires_at: string }) =>
        Math.round((Date.parse(end) - Date.now()) / 3_600_000),
      );
      expect([next, old]).toEqual([365 * 24, 24]);
      await rotate(id, { overlap_hours: 100 });
      const again = (await dana.call('GET', '/api/api-keys', { workspace })).json.data.at(-1);
      expect(again.expires_at, 'an end never moves away').toBe(json.data[1].expires_at);
    });

    it('ends at once where that is asked for, and cannot be replaced after its end', async () => {
      const { id, key } = (await make()).json;
      const { json: next } = await rotate(id, { overlap_hours: 0, expires_at: null });
      expect([(await call(key)).status, (await call(next.key)).status, next.expires_at]).toEqual([401, 200, null]);
      expect((await rotate(id)).status).toBe(409);
      const elsewhere = await dana.createWorkspace('Oak Street');
      const theirs = await dana.call('POST', `/api/api-keys/${id}/rotate`, { workspace: elsewhere, body: {} });
      expect(theirs.status).toBe(404);
      expect((await acts()).map(({ action }: { action: string }) => action)).toEqual([
        'api_key.created',
        'api_key.rotated',
      ]);
    });
  });

  it('of a member from before there were scopes manages only what members may', async () => {
    const { id, key } = (await make()).json;
    await database.query("update api_keys set role = 'member' where id = $1", [id]);
    expect((await call(key, '/api/contacts', { method: 'POST', body: { name: 'Bert' } })).status).toBe(201);
    const refused = await call(key, '/api/channels', { method: 'POST', body: { name: 'Hook', type: 'webhook' } });
    expect([refused.status, refused.json.error.message]).toEqual([403, 'Only workspace admins may do this']);
    const { json } = await dana.call('GET', '/api/api-keys', { workspace });
    expect(json.data[0].excludes_admin).toBe(true);
    const { json: next } = await dana.call('POST', `/api/api-keys/${id}/rotate`, { workspace, body: {} });
    expect(next.excludes_admin).toBe(true);
  });

  it('together have so many requests in an hour, which is answered without counting', async () => {
    const use = async () => (await dana.call('GET', '/api/api-keys/requests', { workspace })).json;
    expect(await use()).toMatchObject({ used: 0, resets_at: null });
    const { headers } = await call(await keyOf());
    await call(await keyOf());
    const answered = await use();
    expect(answered).toMatchObject({ used: 2, limit: Number(headers.get('ratelimit-limit')) });
    const seconds = (Date.parse(answered.resets_at) - Date.now()) / 1_000;
    expect(Math.abs(seconds - Number(headers.get('ratelimit-reset')))).toBeLessThan(60);
  });
});
