import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { openEventStream } from '#testing/event-stream.ts';
import { addMember } from '#testing/owner.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('somebody who loses access to a workspace', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let erin: TestPerson;
  let finn: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
  });
  beforeEach(async () => {
    [dana, erin, finn] = [await cuebird.signUp('Dana'), await cuebird.signUp('Erin'), await cuebird.signUp('Finn')];
    workspace = await dana.createWorkspace('Elm Street');
    await addMember(database, { workspace, userId: erin.userId, role: 'admin' });
    await addMember(database, { workspace, userId: finn.userId, role: 'member' });
  });
  afterAll(() => cuebird.stop());

  const call = (as: TestPerson, method: string, path: string, body?: object) =>
    as.call(method, `/api/workspaces/${workspace}${path}`, { workspace, body });

  async function memberOf({ userId }: TestPerson): Promise<string> {
    const { rows } = await database.query<{ id: string }>(
      'select id from workspace_members where workspace_id = $1 and user_id = $2',
      [workspace, userId],
    );
    return rows[0]?.id ?? 'no member';
  }

  const remove = async (as: TestPerson, of: TestPerson, removal: object = {}) =>
    call(as, 'DELETE', `/members/${await memberOf(of)}`, removal);

  const makeKey = async (as: TestPerson, name = 'CRM', of = workspace): Promise<{ id: string; key: string }> =>
    (
      await as.call('POST', '/api/api-keys', {
        workspace: of,
        body: { name, scopes: ['send', 'read', 'manage'] },
      })
    ).json;

  const keyCall = (key: string, path: string, { method = 'GET', body }: { method?: string; body?: object } = {}) =>
    fetch(`${cuebird.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });

  const acts = async () =>
    (
      await database.query(
        `select action, actor_id, account_id, target, client_address, details ->> 'name' as name, details ->> 'to' as to
           from audit_log where workspace_id = $1 and kind in ('api_key', 'hook') and action <> 'api_key.created' order by id`,
        [workspace],
      )
    ).rows;

  const expectEnded = async (key: string) => {
    for (const [path, request] of [
      ['/api/contacts', {}],
      ['/api/contacts/export', {}],
      [`/api/workspaces/${workspace}/export`, {}],
      ['/api/channels', { method: 'POST', body: { name: 'Mine', type: 'webhook' } }],
    ] as const)
      expect((await keyCall(key, path, request)).status, path).toBe(401);
  };

  it('by being removed has no API key that works, nor a stream that one has opened', async () => {
    const { key, id } = await makeKey(erin);
    expect((await keyCall(key, '/api/contacts')).status).toBe(200);
    const stream = await openEventStream(cuebird.url, { as: { key }, workspace });
    await stream.next();
    expect((await remove(dana, erin)).status).toBe(200);
    await expectEnded(key);
    while ((await stream.next()) !== null);
    expect(await acts()).toEqual([
      {
        action: 'api_key.ended',
        actor_id: dana.userId,
        account_id: erin.userId,
        target: id,
        client_address: '127.0.0.1',
        name: 'CRM',
        to: null,
      },
    ]);
  });

  it('by leaving has no API key that works', async () => {
    const { key } = await makeKey(erin);
    expect((await call(erin, 'POST', '/leave')).status).toBe(200);
    await expectEnded(key);
    expect(await acts()).toMatchObject([{ action: 'api_key.ended', actor_id: erin.userId }]);
  });

  it('by becoming a member has no API key that works, and gets none back by a promotion', async () => {
    const { key } = await makeKey(erin);
    for (const role of ['member', 'admin'])
      expect((await call(dana, 'PATCH', `/members/${await memberOf(erin)}`, { role })).status).toBe(200);
    await expectEnded(key);
    expect(await acts()).toMatchObject([{ action: 'api_key.ended', actor_id: dana.userId }]);
  });

  it('by a suspension has no API key that works, in any workspace, and the log of each names no administrator', async () => {
    const mine = await erin.createWorkspace('Mill Road');
    const [here, there] = [await makeKey(erin), await makeKey(erin, 'Shop', mine)];
    const administrator = await cuebird.signUp('Ann');
    await database.query('update profiles set is_system_admin = true where id = $1', [administrator.userId]);
    await administrator.call('PUT', `/api/admin/people/${erin.userId}/suspension`);
    for (const { key } of [here, there]) await expectEnded(key);
    await administrator.call('DELETE', `/api/admin/people/${erin.userId}/suspension`);
    for (const { key } of [here, there]) await expectEnded(key);
    expect(await acts()).toMatchObject([
      { action: 'api_key.ended', actor_id: null, account_id: erin.userId, client_address: null },
    ]);
  });

  it('by deleting the account has no API key that works', async () => {
    const { key } = await makeKey(erin);
    await erin.call('POST', '/api/profile/delete', { body: { email: erin.email } });
    await expectEnded(key);
    expect(await acts()).toMatchObject([{ action: 'api_key.ended', account_id: erin.userId }]);
  });

  it('keeps the keys of other workspaces, and of others in this one', async () => {
    const mine = await erin.createWorkspace('Mill Road');
    const [elsewhere, danas] = [await makeKey(erin, 'Shop', mine), await makeKey(dana)];
    await remove(dana, erin);
    expect((await keyCall(elsewhere.key, '/api/contacts')).status).toBe(200);
    expect((await keyCall(danas.key, '/api/contacts')).status).toBe(200);
  });

  it('makes no key at the moment of the removal', async () => {
    for (let round = 0; round < 5; round += 1) {
      const kate = await cuebird.signUp('Kate');
      await addMember(database, { workspace, userId: kate.userId, role: 'admin' });
      const [made] = await Promise.all([makeKey(kate), remove(dana, kate)]);
      if (made.key !== undefined) await expectEnded(made.key);
    }
    const { rows } = await database.query(
      'select count(*)::int as working from api_keys where workspace_id = $1 and revoked_at is null',
      [workspace],
    );
    expect(rows).toEqual([{ working: 0 }]);
  });

  it('does not use a key that was made while the suspension began', async () => {
    const { key, id } = await makeKey(erin);
    await database.query('alter table profiles disable trigger end_api_keys_of_suspended');
    await database.query('update profiles set suspended_at = now() where id = $1', [erin.userId]);
    await database.query('alter table profiles enable trigger end_api_keys_of_suspended');
    await expectEnded(key);
    const { rows } = await database.query('select revoked_at from api_keys where id = $1', [id]);
    expect(rows).toEqual([{ revoked_at: null }]);
  });

  describe('has keys that go on for the team', () => {
    it('where they are transferred by name to another owner or admin', async () => {
      const [kept, ended] = [await makeKey(erin, 'Shop'), await makeKey(erin, 'Laptop')];
      const removed = await remove(dana, erin, { transfer: { keys: [kept.id], to: await memberOf(dana) } });
      expect(removed.status).toBe(200);
      expect((await keyCall(kept.key, '/api/contacts')).status).toBe(200);
      await expectEnded(ended.key);
      const { json } = await dana.call('GET', '/api/api-keys', { workspace });
      expect(json.data.find(({ id }: { id: string }) => id === kept.id)).toMatchObject({
        created_by: erin.userId,
        owned_by: dana.userId,
        revoked_at: null,
      });
      expect(await acts()).toMatchObject([
        { action: 'api_key.transferred', actor_id: dana.userId, target: kept.id, name: 'Shop', to: 'Dana' },
        { action: 'api_key.ended', actor_id: dana.userId, target: ended.id, name: 'Laptop' },
      ]);
    });

    it.each([
      ['a member', async () => memberOf(finn)],
      ['the one who is removed', async () => memberOf(erin)],
    ])('but not to %s, and then nobody is removed', async (_, to) => {
      const { id, key } = await makeKey(erin);
      const refused = await remove(dana, erin, { transfer: { keys: [id], to: await to() } });
      expect([refused.status, refused.json.error.message]).toEqual([
        409,
        'API keys are transferred to another owner or admin',
      ]);
      expect((await keyCall(key, '/api/contacts')).status).toBe(200);
      expect(await memberOf(erin)).not.toBe('no member');
    });

    it('but not to somebody who is suspended', async () => {
      const { id } = await makeKey(erin);
      const kate = await cuebird.signUp('Kate');
      await addMember(database, { workspace, userId: kate.userId, role: 'admin' });
      await database.query('update profiles set suspended_at = now() where id = $1', [kate.userId]);
      const refused = await remove(dana, erin, { transfer: { keys: [id], to: await memberOf(kate) } });
      expect([refused.status, refused.json.error.message]).toEqual([
        409,
        'This member is suspended and cannot have API keys. Choose another one.',
      ]);
    });

    it('but for keys of others and those that have ended', async () => {
      const [own, danas] = [await makeKey(erin), await makeKey(dana)];
      await dana.call('DELETE', `/api/api-keys/${own.id}`, { workspace });
      for (const { id } of [own, danas]) {
        const refused = await remove(dana, erin, { transfer: { keys: [id], to: await memberOf(dana) } });
        expect(refused.status).toBe(409);
      }
    });
  });

  it('is shown with what would outlive it, and leaves hooks behind whose addresses no longer work', async () => {
    const { id, key } = await makeKey(erin, 'Shop');
    await erin.call('POST', '/api/calendar-feeds', { workspace, body: { shows: 'workspace' } });
    const { json: reminder } = await dana.call('POST', '/api/reminders', {
      workspace,
      body: {
        ...sampleReminder,
        name: 'Contact form',
        schedule_config: {
          type: 'event-based',
          eventTrigger: 'custom_webhook',
          delayAmount: 0,
          delayUnit: 'minutes',
        },
      },
    });
    const path = `/api/reminders/${reminder.id}/hook`;
    const { url }: { url: string } = (await erin.call('GET', path, { workspace })).json;
    await keyCall(key, '/api/contacts');

    const shown = await call(dana, 'GET', `/members/${await memberOf(erin)}/access`);
    expect([shown.status, shown.json]).toEqual([
      200,
      {
        api_keys: [{ id, name: 'Shop', prefix: key.slice(0, 12), last_used_at: expect.any(String) }],
        hooks: [{ reminder_id: reminder.id, name: 'Contact form', last_received_at: null }],
        callbacks: [],
        has_signing_secret: false,
        calendar_feeds: 1,
      },
    ]);
    expect((await remove(dana, erin, { renew_hooks: [reminder.id] })).status).toBe(200);
    const answerOf = async (address: string) =>
      (await fetch(new URL(new URL(address).pathname, cuebird.url), { method: 'POST', body: '{}', headers: json }))
        .status;
    const json = { 'content-type': 'application/json' };
    expect(await answerOf(url)).toBe(404);
    expect(await answerOf((await dana.call('GET', path, { workspace })).json.url)).toBeLessThan(300);
    expect(await acts()).toMatchObject([{ action: 'hook.rotated' }, { action: 'api_key.ended' }]);
  });

  it('leaves callback addresses behind that no longer work, and a signing secret that is replaced', async () => {
    const configuration = { smtp_host: '127.0.0.1', smtp_port: 2, username: 'a@elm.example', use_tls: false };
    const { json: channel } = await dana.call('POST', '/api/channels', {
      workspace,
      body: { name: 'Mail', type: 'email', configuration },
    });
    const read = async (as: TestPerson): Promise<string> =>
      (await as.call('GET', '/api/channels', { workspace })).json.data[0].callback_url;
    const seen = await read(erin);
    const { json: before } = await erin.call('POST', '/api/signing-secret', { workspace });
    const shown = await call(dana, 'GET', `/members/${await memberOf(erin)}/access`);
    expect(shown.json).toMatchObject({
      callbacks: [{ channel_id: channel.id, name: 'Mail' }],
      has_signing_secret: true,
    });
    const removal = { renew_callbacks: [channel.id], renew_signing_secret: true };
    expect((await remove(dana, erin, removal)).status).toBe(200);
    const postTo = async (address: string) =>
      (await fetch(new URL(new URL(address).pathname, cuebird.url), { method: 'POST', body: 'Subject: a' })).status;
    expect([await postTo(seen), await postTo(await read(dana))]).toEqual([404, 200]);
    // Neither does an edit bring it back.
    await dana.call('PATCH', `/api/channels/${channel.id}`, { workspace, body: { configuration } });
    expect([await postTo(seen), await postTo(await read(dana))]).toEqual([404, 200]);
    const { json: after } = await dana.call('POST', '/api/signing-secret', { workspace });
    expect(after.secret).not.toBe(before.secret);
  });
});
