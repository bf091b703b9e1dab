import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { openEventStream } from '#testing/event-stream.ts';
import { addMember, connectOwner } from '#testing/owner.ts';

describe('the members of a workspace, in two processes on one database', () => {
  let one: TestCuebird;
  let other: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let erin: TestPerson;
  let finn: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    one = await startTestCuebird({ hasLimits: true });
    other = await startTestCuebird({ env: { DATABASE_URL: one.databaseUrl } });
    database = await connectOwner(one.databaseUrl);
  });
  beforeEach(async () => {
    await database.query('delete from request_counts');
    [dana, erin, finn] = [await one.signUp('Dana'), await one.signUp('Erin'), await one.signUp('Finn')];
    workspace = await dana.createWorkspace('Elm Street');
    await addMember(database, { workspace, userId: erin.userId, role: 'admin' });
    await addMember(database, { workspace, userId: finn.userId, role: 'member' });
  });
  afterAll(async () => {
    await database.end();
    await other.stop();
    await one.stop();
  });

  const call = (as: TestPerson, method: string, path: string, body?: object) =>
    as.call(method, `/api/workspaces/${workspace}${path}`, { workspace, body });

  async function rolesNow(): Promise<Record<string, string>> {
    const { json } = await call(dana, 'GET', '/members');
    const members: { full_name: string; role: string }[] = json.data;
    return Object.fromEntries(members.map(({ full_name, role }) => [full_name, role]));
  }

  async function memberOf({ userId }: TestPerson): Promise<string> {
    const { rows } = await database.query<{ id: string }>(
      'select id from workspace_members where workspace_id = $1 and user_id = $2',
      [workspace, userId],
    );
    return rows[0]?.id ?? 'no member';
  }

  const acts = async () =>
    (
      await database.query(
        "select action, actor_id, target, details from audit_log where workspace_id = $1 and action <> 'workspace.created' order by id",
        [workspace],
      )
    ).rows;

  const setRole = async (as: TestPerson, of: TestPerson, role: string) =>
    call(as, 'PATCH', `/members/${await memberOf(of)}`, { role });
  const remove = async (as: TestPerson, of: TestPerson) => call(as, 'DELETE', `/members/${await memberOf(of)}`, {});
  const transfer = async (as: TestPerson, to: TestPerson) =>
    call(as, 'POST', '/transfer', { member: await memberOf(to) });

  it('are counted and listed with name, address, role and since when', async () => {
    expect((await call(finn, 'GET', '')).json).toMatchObject({ name: 'Elm Street', role: 'member', member_count: 3 });
    const { json } = await call(finn, 'GET', '/members');
    expect(json.data).toHaveLength(3);
    expect(json.data[0]).toMatchObject({ full_name: 'Dana', email: dana.email, role: 'owner' });
    expect(Date.parse(json.data[0].joined_at)).not.toBeNaN();
  });

  it('are promoted and demoted by owners and admins, which is logged once and counts at once in the other process', async () => {
    expect((await setRole(erin, finn, 'admin')).json).toMatchObject({ full_name: 'Finn', role: 'admin' });
    expect((await setRole(erin, finn, 'admin')).status).toBe(200);
    expect(await acts()).toEqual([
      {
        action: 'member.role_changed',
        actor_id: erin.userId,
        target: finn.userId,
        details: { role: 'admin', name: 'Finn', email: finn.email },
      },
    ]);
    const rename = () =>
      fetch(`${other.url}/api/workspaces/${workspace}`, {
        method: 'PATCH',
        headers: { cookie: finn.cookie, 'x-workspace-id': workspace, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Oak Street' }),
      });
    expect((await rename()).status).toBe(200);
    expect((await setRole(dana, finn, 'member')).status).toBe(200);
    expect((await rename()).status).toBe(403);
  });

  it('who are owners are neither changed nor removed, and nobody becomes an owner by a promotion', async () => {
    for (const refused of [await setRole(erin, dana, 'member'), await remove(erin, dana)]) {
      expect([refused.status, refused.json.error.message]).toEqual([
        409,
        'The owner of a workspace cannot be changed or removed',
      ]);
    }
    expect((await setRole(dana, erin, 'owner')).status).toBe(400);
    expect((await setRole(finn, erin, 'member')).status).toBe(403);
    expect(await rolesNow()).toEqual({ Dana: 'owner', Erin: 'admin', Finn: 'member' });
  });

  it('are removed: what they had open ends everywhere, and the next request of any process finds nothing', async () => {
    const streams = [
      await openEventStream(one.url, { as: finn, workspace }),
      await openEventStream(other.url, { as: finn, workspace }),
    ];
    for (const stream of streams) await stream.next();
    const staying = await openEventStream(other.url, { as: dana, workspace });
    await staying.next();
    expect((await remove(erin, finn)).json).toEqual({ removed: true });
    for (const stream of streams) while ((await stream.next()) !== null);
    expect(await staying.next()).toBe('data: {"table":"members"}');
    await staying.close();
    expect((await call(finn, 'GET', '')).status).toBe(404);
    expect(
      (await fetch(`${other.url}/api/reminders`, { headers: { cookie: finn.cookie, 'x-workspace-id': workspace } }))
        .status,
    ).toBe(404);
    expect((await remove(erin, finn)).status).toBe(400);
    expect(await acts()).toEqual([
      {
        action: 'member.removed',
        actor_id: erin.userId,
        target: finn.userId,
        details: { role: 'member', name: 'Finn', email: finn.email },
      },
    ]);
  });

  it('of another workspace are not found', async () => {
    const neighbour = await one.signUp('Nora');
    const theirs = await neighbour.createWorkspace('Next door');
    await addMember(database, { workspace: theirs, userId: finn.userId, role: 'member' });
    const { json } = await neighbour.call('GET', `/api/workspaces/${theirs}/members`, { workspace: theirs });
    const id = json.data.find(({ user_id }: { user_id: string }) => user_id === finn.userId).id;
    expect((await call(dana, 'PATCH', `/members/${id}`, { role: 'admin' })).status).toBe(404);
    expect((await call(dana, 'DELETE', `/members/${id}`, {})).status).toBe(404);
    expect((await call(dana, 'POST', '/transfer', { member: id })).status).toBe(404);
  });

  it('leave by themselves, except the only owner', async () => {
    expect((await call(finn, 'POST', '/leave')).json).toEqual({ left: true });
    expect((await call(finn, 'POST', '/leave')).status).toBe(404);
    const refused = await call(dana, 'POST', '/leave');
    expect([refused.status, refused.json.error.message]).toEqual([
      409,
      'You are the only owner of this workspace. Transfer it to another member first.',
    ]);
    expect(await rolesNow()).toEqual({ Dana: 'owner', Erin: 'admin' });
    expect((await acts()).map(({ action }) => action)).toEqual(['member.left']);
  });

  it('who own it together and leave at the same moment leave one owner behind', async () => {
    await database.query("update workspace_members set role = 'owner' where id = $1", [await memberOf(erin)]);
    const answers = await Promise.all([call(dana, 'POST', '/leave'), call(erin, 'POST', '/leave')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it('two admins who demote each other at the same moment are not both demoted', async () => {
    await setRole(dana, finn, 'admin');
    const answers = await Promise.all([setRole(erin, finn, 'member'), setRole(finn, erin, 'member')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403]);
    expect(Object.values(await rolesNow()).toSorted()).toEqual(['admin', 'member', 'owner']);
  });

  describe('get a new owner', () => {
    it('by the owner, who becomes an admin', async () => {
      expect((await transfer(erin, finn)).status).toBe(403);
      expect((await transfer(dana, finn)).json).toEqual({ transferred: true });
      expect(await rolesNow()).toEqual({ Dana: 'admin', Erin: 'admin', Finn: 'owner' });
      expect((await transfer(dana, erin)).status).toBe(403);
      expect(await acts()).toEqual([
        {
          action: 'workspace.transferred',
          actor_id: dana.userId,
          target: finn.userId,
          details: { name: 'Finn', email: finn.email },
        },
      ]);
    });

    it('but never somebody who is suspended', async () => {
      await database.query('update profiles set suspended_at = now() where id = $1', [finn.userId]);
      const { status, json } = await transfer(dana, finn);
      await database.query('update profiles set suspended_at = null where id = $1', [finn.userId]);
      expect([status, json.error.message]).toEqual([
        409,
        'This member is suspended and cannot sign in. Choose another one.',
      ]);
      expect(await rolesNow()).toMatchObject({ Dana: 'owner', Finn: 'member' });
    });

    it('once, of two transfers at the same moment', async () => {
      const answers = await Promise.all([transfer(dana, erin), transfer(dana, finn)]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403]);
      expect(Object.values(await rolesNow()).filter((role) => role === 'owner')).toHaveLength(1);
    });

    it('once, of a transfer that is sent again with its key', async () => {
      const body = { member: await memberOf(finn) };
      const send = () =>
        dana.call('POST', `/api/workspaces/${workspace}/transfer`, {
          workspace,
          body,
          headers: { 'idempotency-key': 'transfer-1' },
        });
      expect((await send()).status).toBe(200);
      // No longer the owner: the key of the first answer opens nothing.
      expect((await send()).status).toBe(403);
    });
  });

  it('a transfer is refused to the account of a demo', async () => {
    await database.query('update profiles set is_demo = true where id = $1', [dana.userId]);
    const refused = await call(dana, 'POST', '/transfer', { member: await memberOf(erin) });
    expect([refused.status, refused.json.error?.message]).toEqual([403, 'A demo workspace cannot be transferred']);
    expect(await rolesNow()).toEqual({ Dana: 'owner', Erin: 'admin', Finn: 'member' });
  });
});
