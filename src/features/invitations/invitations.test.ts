import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';

describe('invitations into a workspace', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let erin: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird({ hasLimits: true });
    database = cuebird.owner;
  });
  beforeEach(async () => {
    await database.query('delete from request_counts');
    [dana, erin] = [await cuebird.signUp('Dana'), await cuebird.signUp('Erin')];
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const call = (as: TestPerson, method: string, path: string, body?: object) =>
    as.call(method, `/api/workspaces/${workspace}${path}`, { workspace, body });

  const invite = (email: string, role: 'admin' | 'member' = 'member') =>
    call(dana, 'POST', '/invitations', { email, role });

  const tokenOf = ({ json }: { json: { link: string } }) => json.link.split('/invitation/')[1] ?? 'no token';

  const anonymously = async (method: string, path: string) => {
    const response = await fetch(`${cuebird.url}${path}`, { method });
    return { status: response.status, json: JSON.parse(await response.text()) };
  };

  const accept = (as: TestPerson, token: string) => as.call('POST', `/api/invitations/${token}/accept`);

  const actions = async () =>
    (
      await database.query(
        "select action from audit_log where workspace_id = $1 and action like 'invitation.%' order by id",
        [workspace],
      )
    ).rows.map(({ action }) => action);

  const mailTo = async (email: string): Promise<string> => {
    await expect.poll(async () => (await mailsTo(email)).length).toBeGreaterThan(0);
    return (await mailsTo(email)).at(-1)?.body_text ?? '';
  };
  const mailsTo = async (email: string) =>
    (
      await database.query<{ body_text: string }>(
        'select body_text from sandbox_messages where recipient = $1 order by id',
        [email],
      )
    ).rows;

  it('go to an address, by mail and by the link in the answer, and show a stranger the workspace and who invited', async () => {
    const email = `guest.${crypto.randomUUID()}@example.com`;
    const made = await invite(` ${email.toUpperCase()} `);
    expect([made.status, made.json]).toEqual([
      201,
      expect.objectContaining({ email, role: 'member', invited_by: 'Dana', declined_at: null, is_mailed: true }),
    ]);
    expect(Date.parse(made.json.expires_at) - Date.parse(made.json.created_at)).toBe(7 * 24 * 3_600_000);
    const mail = await mailTo(email);
    expect(mail).toContain('Dana invites you to the workspace “Elm Street” in Cuebird.');
    expect(mail).toContain(made.json.link);
    const shown = await anonymously('GET', `/api/invitations/${tokenOf(made)}`);
    expect([shown.status, shown.json]).toEqual([200, { workspace: 'Elm Street', invited_by: 'Dana', email }]);
    const listed = await call(dana, 'GET', '/invitations');
    expect(listed.json.data).toHaveLength(1);
    expect(JSON.stringify(listed.json)).not.toContain(tokenOf(made));
    const { rows } = await database.query('select * from workspace_invitations where workspace_id = $1', [workspace]);
    expect(JSON.stringify(rows)).not.toContain(tokenOf(made));
    expect((await call(erin, 'GET', '/invitations')).status).toBe(404);
  });

  it('are accepted once, by the person of the address, with the role that was offered', async () => {
    const token = tokenOf(await invite(erin.email, 'admin'));
    const finn = await cuebird.signUp('Finn');
    const other = await accept(finn, token);
    expect([other.status, other.json.error.message]).toEqual([
      403,
      `This invitation is for another address than ${finn.email}. Sign in with the address that was invited.`,
    ]);
    expect((await anonymously('POST', `/api/invitations/${token}/accept`)).status).toBe(401);
    const both = await Promise.all([accept(erin, token), accept(erin, token)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
    expect(both.find(({ status }) => status === 200)?.json).toEqual({
      workspace_id: workspace,
      workspace: 'Elm Street',
    });
    const { json } = await erin.call('GET', '/api/workspaces');
    expect(json.data).toEqual([expect.objectContaining({ id: workspace, role: 'admin' })]);
    expect((await call(dana, 'GET', '/invitations')).json.data).toEqual([]);
    expect(await actions()).toEqual(['invitation.created', 'invitation.accepted']);
  });

  it('whose acceptance is sent again with its key answers the same, and leaves one membership', async () => {
    const token = tokenOf(await invite(erin.email));
    const send = () =>
      erin.call('POST', `/api/invitations/${token}/accept`, { headers: { 'idempotency-key': `accept-${token}` } });
    expect([(await send()).json, (await send()).json]).toEqual(
      Array.from({ length: 2 }, () => ({ workspace_id: workspace, workspace: 'Elm Street' })),
    );
    expect((await call(dana, 'GET', '/members')).json.data).toHaveLength(2);
  });

  it('lead somebody who signs up with the address into the workspace', async () => {
    const email = `new.${crypto.randomUUID()}@example.com`;
    const token = tokenOf(await invite(email));
    const signedUp = await fetch(`${cuebird.url}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: cuebird.url },
      body: JSON.stringify({ name: 'Nora', email: email.toUpperCase(), password: 'correct horse battery' }),
    });
    const cookie = signedUp.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const accepted = await fetch(`${cuebird.url}/api/invitations/${token}/accept`, {
      method: 'POST',
      headers: { cookie },
    });
    expect(accepted.status).toBe(200);
    const { json } = await call(dana, 'GET', '/members');
    expect(json.data.map(({ email: of }: { email: string }) => of)).toEqual([dana.email, email]);
  });

  it('end by declining, revoking, sending again and after seven days', async () => {
    const gone = async (token: string) => {
      const answers = [
        await anonymously('GET', `/api/invitations/${token}`),
        await anonymously('POST', `/api/invitations/${token}/decline`),
        await accept(erin, token),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    };
    const made = await invite(erin.email);
    expect((await anonymously('POST', `/api/invitations/${tokenOf(made)}/decline`)).json).toEqual({ declined: true });
    await gone(tokenOf(made));
    expect((await call(dana, 'GET', '/invitations')).json.data[0].declined_at).not.toBeNull();

    const again = await call(dana, 'POST', `/invitations/${made.json.id}/resend`);
    expect(again.json).toMatchObject({ id: made.json.id, declined_at: null, is_mailed: true });
    const newer = await call(dana, 'POST', `/invitations/${made.json.id}/resend`);
    await gone(tokenOf(again));

    await database.query("update workspace_invitations set expires_at = now() - interval '1 second' where id = $1", [
      made.json.id,
    ]);
    await gone(tokenOf(newer));
    const replaced = await invite(erin.email);
    expect(replaced.status).toBe(201);
    expect((await call(dana, 'DELETE', `/invitations/${replaced.json.id}`)).json).toEqual({ revoked: true });
    await gone(tokenOf(replaced));
    expect((await call(dana, 'DELETE', `/invitations/${replaced.json.id}`)).status).toBe(404);
    expect((await call(dana, 'POST', `/invitations/${replaced.json.id}/resend`)).status).toBe(404);
    await gone('A'.repeat(64));
    await gone('none');
  });

  it('are refused for members, for who is invited already, and for what is no address', async () => {
    await invite(erin.email);
    const twice = await invite(erin.email);
    expect([twice.status, twice.json.error.message]).toEqual([
      409,
      `${erin.email} is invited already. Send that invitation again instead.`,
    ]);
    const member = await invite(dana.email);
    expect([member.status, member.json.error.message]).toEqual([
      409,
      `${dana.email} is a member of this workspace already`,
    ]);
    for (const email of ['nobody', 'a@b@c.example', `${'a'.repeat(320)}@example.com`, 'a\u0000@example.com'])
      expect((await invite(email)).status).toBe(400);
    expect((await call(dana, 'POST', '/invitations', { email: 'a@example.com', role: 'owner' })).status).toBe(400);
  });

  it('are for owners and admins to make and to end', async () => {
    await addMember(database, { workspace, userId: erin.userId, role: 'member' });
    const { json } = await invite('guest@example.com');
    const refused = [
      await call(erin, 'GET', '/invitations'),
      await call(erin, 'POST', '/invitations', { email: 'other@example.com' }),
      await call(erin, 'POST', `/invitations/${json.id}/resend`),
      await call(erin, 'DELETE', `/invitations/${json.id}`),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });

  it('are bounded: a hundred that are open, and so many an hour', async () => {
    await database.query(
      `insert into workspace_invitations (workspace_id, email, role, token_hash, expires_at)
       select $1::uuid, n || '@example.com', 'member', $1::text || n, now() + interval '1 day' from generate_series(1, 100) n`,
      [workspace],
    );
    const full = await invite('one.more@example.com');
    expect([full.status, full.json.error.message]).toEqual([
      422,
      '100 invitations are open already. Revoke one of them first.',
    ]);
    await database.query("update request_counts set used = 60 where user_id = $1 and bucket = 'invitations.3600'", [
      dana.userId,
    ]);
    const often = await invite('one.more@example.com');
    expect([often.status, often.json.error.message]).toEqual([
      429,
      expect.stringMatching(/^Too many invitations were sent\. Try again in \d+ minutes\.$/),
    ]);
    expect(often.headers.get('retry-after')).not.toBeNull();
  });

  it('mail one address five times an hour at the most; the link still works', async () => {
    const email = `often.${crypto.randomUUID()}@example.com`;
    const { json } = await invite(email);
    for (let count = 0; count < 4; count += 1)
      expect((await call(dana, 'POST', `/invitations/${json.id}/resend`)).json.is_mailed).toBe(true);
    const sixth = await call(dana, 'POST', `/invitations/${json.id}/resend`);
    expect(sixth.json.is_mailed).toBe(false);
    expect((await anonymously('GET', `/api/invitations/${tokenOf(sixth)}`)).status).toBe(200);
  });

  it('mail no link that somebody has put into a name', async () => {
    await call(dana, 'PATCH', '', { name: 'Free money at https://evil.example/win now' });
    const email = `spam.${crypto.randomUUID()}@example.com`;
    const { json } = await invite(email);
    const mail = await mailTo(email);
    expect(mail).toContain('“Free money at https evil example win now”');
    expect(mail.match(/https?:\/\/\S+/g)).toEqual([json.link]);
  });

  it('are refused to the account of a demo', async () => {
    const token = tokenOf(await invite(erin.email));
    await database.query('update profiles set is_demo = true where id = $1', [erin.userId]);
    const refused = await accept(erin, token);
    expect([refused.status, refused.json.error?.message]).toEqual([
      403,
      'A demo account joins no other workspace. Sign up for your own.',
    ]);
    expect((await call(dana, 'GET', '/invitations')).json.data).toHaveLength(1);
  });

  it('end with the rights of who sent them: a removed or demoted admin does not come back by one', async () => {
    const { rows } = await database.query<{ id: string }>(
      "insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'admin') returning id",
      [workspace, erin.userId],
    );
    const [other, guest] = [await cuebird.signUp('Erin at home'), await cuebird.signUp('Guest')];
    const tokens = [
      tokenOf(await call(erin, 'POST', '/invitations', { email: other.email, role: 'admin' })),
      tokenOf(await invite(guest.email)),
    ];
    expect((await call(dana, 'PATCH', `/members/${rows[0]?.id}`, { role: 'admin' })).status).toBe(200);
    expect((await call(dana, 'GET', '/invitations')).json.data).toHaveLength(2);
    expect((await call(dana, 'PATCH', `/members/${rows[0]?.id}`, { role: 'member' })).status).toBe(200);
    expect((await accept(other, tokens[0] ?? '')).status).toBe(404);
    await call(dana, 'PATCH', `/members/${rows[0]?.id}`, { role: 'admin' });
    const again = tokenOf(await call(erin, 'POST', '/invitations', { email: other.email, role: 'admin' }));
    expect((await call(dana, 'DELETE', `/members/${rows[0]?.id}`, {})).status).toBe(200);
    expect((await accept(other, again)).status).toBe(404);
    expect((await accept(guest, tokens[1] ?? '')).status).toBe(200);
    expect((await actions()).filter((action) => action === 'invitation.revoked')).toHaveLength(2);
  });

  it('of somebody suspended do not work, until another admin sends them again', async () => {
    const admin = await cuebird.signUp('Finn');
    await addMember(database, { workspace, userId: admin.userId, role: 'admin' });
    const made = await call(admin, 'POST', '/invitations', { email: erin.email, role: 'member' });
    await database.query('update profiles set suspended_at = now() where id = $1', [admin.userId]);
    expect((await anonymously('GET', `/api/invitations/${tokenOf(made)}`)).status).toBe(404);
    expect((await accept(erin, tokenOf(made))).status).toBe(404);
    const { json: list } = await call(dana, 'GET', '/invitations');
    expect(list.data).toContainEqual(expect.objectContaining({ id: made.json.id, is_inviter_suspended: true }));
    const again = await call(dana, 'POST', `/invitations/${made.json.id}/resend`);
    expect(again.json).toMatchObject({ invited_by: 'Dana', is_inviter_suspended: false });
    expect((await accept(erin, tokenOf(again))).status).toBe(200);
  });

  it('to the address of an account go when it is deleted, and the log does not say from where', async () => {
    const made = await invite(erin.email);
    const elsewhere = await invite('somebody.else@example.com');
    await erin.call('POST', '/api/profile/delete', { body: { email: erin.email } });
    const { json } = await call(dana, 'GET', '/invitations');
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual([elsewhere.json.id]);
    const { rows } = await database.query(
      "select target, actor_kind, client_address, details from audit_log where workspace_id = $1 and action = 'invitation.revoked'",
      [workspace],
    );
    expect(rows).toEqual([
      { target: made.json.id, actor_kind: 'system', client_address: null, details: { email: erin.email } },
    ]);
  });
});
