import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { openEventStream } from '#testing/event-stream.ts';
import { addMember } from '#testing/owner.ts';

describe('a workspace that is deleted', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let erin: TestPerson;
  let finn: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    [dana, erin, finn] = [await cuebird.signUp('Dana'), await cuebird.signUp('Erin'), await cuebird.signUp('Finn')];
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    await addMember(database, { workspace, userId: erin.userId, role: 'admin' });
    await addMember(database, { workspace, userId: finn.userId, role: 'member' });
  });
  afterAll(() => cuebird.stop());

  const call = (as: TestPerson, method: string, path: string, body?: object) =>
    as.call(method, `/api/workspaces/${workspace}${path}`, { workspace, body });
  const remove = (as = dana, body: object = { name: 'Elm Street' }) => call(as, 'POST', '/delete', body);
  const restore = (as = dana) => call(as, 'POST', '/restore');
  const refusal = ({ status, json }: { status: number; json: { error: { message: string } } }) => [
    status,
    json.error.message,
  ];

  it('was named and confirmed by an owner, and by nobody else', async () => {
    expect((await remove(erin)).status).toBe(403);
    expect((await remove(finn)).status).toBe(403);
    expect((await remove(await cuebird.signUp('Nora'))).status).toBe(404);
    const misspelt = await remove(dana, { name: 'elm street' });
    expect([misspelt.status, misspelt.json.error.fields]).toEqual([
      400,
      [{ path: 'name', message: 'Type Elm Street' }],
    ]);
    await database.query(
      "update auth_sessions set created_at = now() - interval '11 minutes', reauthenticated_at = now() - interval '11 minutes' where user_id = $1",
      [dana.userId],
    );
    expect((await remove()).json.error.code).toBe('reauthentication_required');
    expect(
      (await dana.call('POST', '/api/reauthentication', { body: { password: 'correct horse battery' } })).status,
    ).toBe(200);
    const deleted = await remove();
    expect(deleted.status).toBe(200);
    expect(Date.parse(deleted.json.delete_after) - Date.now()).toBeGreaterThan(7 * 86_400_000 - 60_000);
    expect(refusal(await remove())).toEqual([
      403,
      expect.stringMatching(/^This workspace is being deleted\. Until 20/),
    ]);
  });

  it('is shown with its date to its members, who may restore or leave it, and nothing else', async () => {
    const stream = await openEventStream(cuebird.url, { as: finn, workspace });
    await stream.next();
    const { json: deleted } = await remove();
    expect(await stream.next()).toBe('data: {"table":"workspaces"}');
    const { json } = await finn.call('GET', '/api/workspaces');
    expect(json.data.find(({ id }: { id: string }) => id === workspace).delete_after).toBe(deleted.delete_after);
    const words = `This workspace is being deleted. Until ${deleted.delete_after} an owner can restore it.`;
    for (const [as, method, path] of [
      [finn, 'GET', '/api/reminders'],
      [dana, 'GET', '/api/jobs'],
      [dana, 'GET', `/api/workspaces/${workspace}/members`],
    ] as const)
      expect(refusal(await as.call(method, path, { workspace }))).toEqual([403, words]);
    expect(refusal(await call(dana, 'PATCH', '', { name: 'Mine' }))).toEqual([403, words]);
    expect((await restore(erin)).status).toBe(403);
    expect((await restore(finn)).status).toBe(403);
    expect((await call(finn, 'POST', '/leave')).json).toEqual({ left: true });
    expect((await restore()).json).toMatchObject({ name: 'Elm Street', delete_after: null });
    expect((await restore()).status).toBe(409);
    expect((await dana.call('GET', '/api/reminders', { workspace })).status).toBe(200);
    await stream.close();
    const { rows } = await database.query(
      'select action, actor_id from audit_log where workspace_id = $1 order by id',
      [workspace],
    );
    expect(rows).toEqual([
      { action: 'workspace.created', actor_id: dana.userId },
      { action: 'workspace.deletion_requested', actor_id: dana.userId },
      { action: 'member.left', actor_id: finn.userId },
      { action: 'workspace.restored', actor_id: dana.userId },
    ]);
  });

  it('answers its API keys 403 and its hooks 410, with words, until it is restored', async () => {
    const { json: key } = await dana.call('POST', '/api/api-keys', {
      workspace,
      body: { name: 'CRM', scopes: ['send', 'read', 'manage'] },
    });
    const { json: reminder } = await dana.call('POST', '/api/reminders', {
      workspace,
      body: {
        name: 'Form was sent',
        schedule_config: {
          type: 'event-based',
          eventTrigger: 'custom_webhook',
          delayAmount: 1,
          delayUnit: 'hours',
          timezone: 'UTC',
        },
        content: { subject: 'Form', message: 'From {{from}}', recipients: ['erin@example.com'] },
        metadata: { channels: ['email'] },
      },
    });
    const { json: hook } = await dana.call('GET', `/api/reminders/${reminder.id}/hook`, { workspace });
    const byKey = async () => {
      const answer = await fetch(`${cuebird.url}/api/reminders`, { headers: { authorization: `Bearer ${key.key}` } });
      return { status: answer.status, json: await answer.json() };
    };
    const byHook = async () => {
      const answer = await fetch(hook.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"from":"Ann"}',
      });
      return { status: answer.status, json: await answer.json() };
    };
    expect([(await byKey()).status, (await byHook()).status]).toEqual([200, 201]);
    await remove();
    expect(refusal(await byKey())).toEqual([403, expect.stringMatching(/^This workspace is being deleted/)]);
    expect(refusal(await byHook())).toEqual([410, 'The workspace of this hook is being deleted']);
    await restore();
    expect([(await byKey()).status, (await byHook()).status]).toEqual([200, 201]);
  });

  it('takes nobody in, and shows its public templates to nobody', async () => {
    const nora = await cuebird.signUp('Nora');
    const { json: invitation } = await call(dana, 'POST', '/invitations', { email: nora.email, role: 'member' });
    await call(dana, 'PATCH', '', { settings: { allowPublicTemplates: true } });
    await dana.call('POST', '/api/templates', {
      workspace,
      body: {
        name: 'Shown to all',
        is_public: true,
        content: { subject: 'Rent', body: 'Hello', type: 'email' },
        variables: { variables: [] },
      },
    });
    const own = await nora.createWorkspace('Own');
    const gallery = async () => (await nora.call('GET', '/api/templates/gallery', { workspace: own })).json.data.length;
    expect(await gallery()).toBe(1);
    await remove();
    expect(await gallery()).toBe(0);
    const token = invitation.link.split('/invitation/')[1];
    expect(refusal(await nora.call('POST', `/api/invitations/${token}/accept`))).toEqual([
      409,
      'The workspace “Elm Street” is being deleted. Ask who invited you.',
    ]);
    await restore();
    expect(await gallery()).toBe(1);
    expect((await nora.call('POST', `/api/invitations/${token}/accept`)).status).toBe(200);
  });

  it('is told to its owners by mail, with the way back', async () => {
    const gail = await cuebird.signUp('Gail');
    workspace = await gail.createWorkspace('Oak Lane');
    const { json } = await remove(gail, { name: 'Oak Lane' });
    const mails = async () =>
      (
        await database.query<{ body_text: string }>('select body_text from sandbox_messages where recipient = $1', [
          gail.email,
        ])
      ).rows;
    await expect.poll(async () => (await mails()).length).toBe(1);
    const [mail] = await mails();
    expect(mail?.body_text).toContain('The workspace “Oak Lane” was deleted by one of its owners.');
    expect(mail?.body_text).toContain(`${json.delete_after.slice(0, 10)} ${json.delete_after.slice(11, 16)} UTC`);
    expect(mail?.body_text).toContain(`/admin/workspace/${workspace}/manage`);
  });
});
