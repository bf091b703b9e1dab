import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { type EventStream, openEventStream } from '#testing/event-stream.ts';
import { addMember, connectOwner } from '#testing/owner.ts';

describe('an open stream, in two processes on one database', () => {
  let one: TestCuebird;
  let other: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    one = await startTestCuebird();
    other = await startTestCuebird({ env: { DATABASE_URL: one.databaseUrl } });
    database = await connectOwner(one.databaseUrl);
  });
  beforeEach(async () => {
    dana = await one.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(async () => {
    await database.end();
    await other.stop();
    await one.stop();
  });

  async function open(
    cuebird: TestCuebird,
    as: Pick<TestPerson, 'cookie'> | { key: string },
    of = workspace,
  ): Promise<EventStream> {
    const stream = await openEventStream(cuebird.url, { as, workspace: of });
    expect(stream.status).toBe(200);
    await stream.next();
    return stream;
  }

  const post = (cuebird: TestCuebird, path: string, { cookie = '', body = {} }: { cookie?: string; body?: object }) =>
    fetch(`${cuebird.url}/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: cuebird.url, cookie },
      body: JSON.stringify(body),
    });

  /** Another session of the person. */
  async function signIn({ email }: TestPerson): Promise<Pick<TestPerson, 'cookie'>> {
    const answer = await post(one, '/sign-in/email', { body: { email, password: 'correct horse battery' } });
    return { cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  }

  /** The reader is told that its access has ended, and the stream is closed. */
  async function expectEnded(stream: EventStream): Promise<void> {
    expect([await stream.next(), await stream.next()]).toEqual(['event: access_ended\ndata: {}', null]);
  }

  /** The stream still reports changes. */
  async function expectOpen(stream: EventStream, as = dana, of = workspace): Promise<void> {
    await as.call('PATCH', `/api/workspaces/${of}`, { workspace: of, body: { name: 'Renamed' } });
    expect(await stream.next()).toBe('data: {"table":"workspaces"}');
    await stream.close();
  }

  it('ends everywhere with its session, without ending those of the person’s other sessions', async () => {
    const second = await signIn(dana);
    const kept = await open(other, dana);
    const ending = [await open(one, second), await open(other, second)];
    await post(one, '/sign-out', second);
    for (const stream of ending) await expectEnded(stream);
    await expectOpen(kept);
  });

  it('ends everywhere when the password is set', async () => {
    const streams = [await open(one, dana), await open(other, dana), await open(other, await signIn(dana))];
    await database.query("update auth_accounts set password = 'x:y' where user_id = $1", [dana.userId]);
    for (const stream of streams) await expectEnded(stream);
  });

  it('ends everywhere when the person is removed from the workspace, except in their others', async () => {
    const erin = await one.signUp('Erin');
    const own = await erin.createWorkspace('Oak Street');
    await addMember(database, { workspace, userId: erin.userId, role: 'member' });
    const kept = [await open(other, erin, own), await open(other, dana)] as const;
    const ending = [await open(one, erin), await open(other, erin)];
    await database.query('delete from workspace_members where workspace_id = $1 and user_id = $2', [
      workspace,
      erin.userId,
    ]);
    for (const stream of ending) await expectEnded(stream);
    await expectOpen(kept[0], erin, own);
    await expectOpen(kept[1]);
  });

  it('ends everywhere when the API key is revoked', async () => {
    const made = await dana.call('POST', '/api/api-keys', {
      workspace,
      body: { name: 'CRM', scopes: ['send', 'read', 'manage'] },
    });
    const streams = [await open(one, { key: made.json.key }), await open(other, { key: made.json.key })];
    const kept = await open(other, dana);
    await dana.call('DELETE', `/api/api-keys/${made.json.id}`, { workspace });
    for (const stream of streams) await expectEnded(stream);
    await expectOpen(kept);
  });

  it('ends everywhere when the person is suspended at one process, who is a stranger to the other at once', async () => {
    const administrator = await one.signUp('Ann');
    await database.query('update profiles set is_system_admin = true where id = $1', [administrator.userId]);
    const sessions = [dana, await signIn(dana)] as const;
    const streams = [await open(one, dana), await open(other, dana), await open(other, sessions[1])];
    const kept = await open(other, administrator, await administrator.createWorkspace('Oak Street'));
    // Both processes know both sessions by now: what refuses them below is the announcement, not a first look.
    const seenBy = async (cuebird: TestCuebird, { cookie }: Pick<TestPerson, 'cookie'>) =>
      (await fetch(`${cuebird.url}/api/workspaces`, { headers: { cookie } })).status;
    for (const session of sessions)
      expect([await seenBy(one, session), await seenBy(other, session)]).toEqual([200, 200]);
    const suspended = await administrator.call('PUT', `/api/admin/people/${dana.userId}/suspension`);
    expect(suspended.status).toBe(200);
    for (const stream of streams) await expectEnded(stream);
    for (const session of sessions)
      expect([await seenBy(one, session), await seenBy(other, session)]).toEqual([401, 401]);
    await kept.close();
  });

  it('ends everywhere when maintenance begins, and is opened again by administrators only', async () => {
    const administrator = await one.signUp('Ann');
    await database.query('update profiles set is_system_admin = true where id = $1', [administrator.userId]);
    const hers = await administrator.createWorkspace('Oak Street');
    const streams = [await open(one, dana), await open(other, dana), await open(other, administrator, hers)];
    await administrator.call('PATCH', '/api/admin/settings', { body: { maintenanceMode: true } });
    for (const stream of streams) await expectEnded(stream);
    expect((await openEventStream(other.url, { as: dana, workspace })).status).toBe(503);
    const kept = await open(other, administrator, hers);
    await administrator.call('PATCH', '/api/admin/settings', { body: { debugLogging: false } });
    await administrator.call('PATCH', '/api/admin/settings', { body: { maintenanceMode: false } });
    await expectOpen(kept, administrator, hers);
  });

  it('stays open with a changed role, which the other process knows at the next request', async () => {
    const erin = await one.signUp('Erin');
    await addMember(database, { workspace, userId: erin.userId, role: 'admin' });
    const { rows } = await database.query('select id from workspace_members where user_id = $1', [erin.userId]);
    const stream = await open(other, erin);
    const read = () =>
      fetch(`${other.url}/api/api-keys`, { headers: { cookie: erin.cookie, 'x-workspace-id': workspace } });
    expect((await read()).status).toBe(200);
    const path = `/api/workspaces/${workspace}/members/${rows[0].id}`;
    expect((await dana.call('PATCH', path, { workspace, body: { role: 'member' } })).status).toBe(200);
    expect((await read()).status).toBe(403);
    // Its open screens read again.
    expect(await stream.next()).toBe('data: {"table":"members"}');
    await stream.close();
  });

  it('is not left open by HEAD, whose answer has no body to close', async () => {
    const frank = await one.signUp('Frank');
    const his = await frank.createWorkspace('Oak Street');
    for (let count = 0; count < 25; count += 1) {
      const head = await frank.call('HEAD', `/api/stream?workspace=${his}`);
      expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    }
    await (await open(one, frank, his)).close();
  });

  it('is refused to a person with twenty streams, with the time of the next try', async () => {
    const streams: EventStream[] = [];
    for (let count = 0; count < 20; count += 1)
      streams.push(await open(one, count % 2 === 0 ? dana : await signIn(dana)));
    const refused = await dana.call('GET', `/api/stream?workspace=${workspace}`);
    expect([refused.status, refused.headers.get('retry-after'), refused.json.error]).toEqual([
      429,
      '60',
      expect.objectContaining({
        code: 'rate_limited',
        message: '20 streams are open already. Close one of them. Try again in 60 seconds.',
      }),
    ]);
    const erin = await one.signUp('Erin');
    await (await open(one, erin, await erin.createWorkspace('Oak Street'))).close();
    await post(one, '/sign-out', dana);
    for (const [index, stream] of streams.entries()) if (index % 2 === 0) await expectEnded(stream);
    await (await open(one, await signIn(dana))).close();
    await Promise.all(streams.map((stream) => stream.close()));
  });
});
