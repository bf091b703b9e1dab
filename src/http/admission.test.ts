import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { defaultSettings } from '#contract/admin-settings.ts';
import { ErrorAnswer } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import { admit } from '#http/guard.ts';
import { AfterCommit } from '#platform/handler.ts';
import { Unauthenticated } from '#platform/errors.ts';
import { readBytes } from '#platform/request-body.ts';
import { systemClock } from '#platform/clock.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { routeNames, sampleRequest } from '#testing/sample-requests.ts';
import { insertThings, type Things } from '#testing/sample-rows.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('a request is admitted before it is read', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let stranger: TestPerson;
  let member: TestPerson;
  let workspace: string;
  let things: Things;

  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    [dana, stranger, member] = [
      await cuebird.signUp('Dana'),
      await cuebird.signUp('Stranger'),
      await cuebird.signUp('Member'),
    ];
    workspace = await dana.createWorkspace('Elm Street');
    await addMember(database, { workspace, userId: member.userId, role: 'member' });
    things = await insertThings(database, { workspace, userId: dana.userId });
  });
  afterAll(() => cuebird.stop());

  type Unsent = { path: string; method?: string; headers?: Record<string, string>; begin?: string; length?: number };

  /** Announces a body and sends only its first bytes. */
  function open({ path, method = 'POST', headers = {}, begin = '', length = 500 }: Unsent) {
    const request = httpRequest(`${cuebird.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'content-length': length, ...headers },
    });
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve);
      request.on('error', reject);
    });
    answer.catch(() => {});
    request.flushHeaders();
    if (begin !== '') request.write(begin);
    onTestFinished(() => void request.destroy());
    return { request, answer };
  }

  const statusOf = async (unsent: Unsent) => (await open(unsent).answer).statusCode;

  const writing = routeNames.filter((name) => 'body' in routes[name] && routes[name].access !== 'public');
  const tokens = { adminSetup: 'x', demo: 'x', accountMail: 'x' };
  const of = (person: TestPerson) => ({ cookie: person.cookie, 'x-workspace-id': workspace });

  it.each(writing)('%s: nobody who is not signed in, nor with a false key', async (name) => {
    const { method, path } = sampleRequest(name, things, tokens);
    expect(await statusOf({ method, path })).toBe(401);
    expect(await statusOf({ method, path, headers: { authorization: 'Bearer cue_false' } })).toBe(401);
  });

  it.each(writing.filter((name) => ['member', 'admin', 'owner'].includes(routes[name].access)))(
    '%s: nobody of another workspace, and no lower rank',
    async (name) => {
      const { method, path } = sampleRequest(name, things, tokens);
      expect(await statusOf({ method, path, headers: of(stranger) })).toBe(404);
      if (routes[name].access !== 'member') expect(await statusOf({ method, path, headers: of(member) })).toBe(403);
    },
  );

  it('a call to a hook or a call-back address that is none', async () => {
    for (const path of ['/api/hooks/none', '/api/callbacks/twilio/none']) expect(await statusOf({ path })).toBe(404);
  });

  it('sign-in from a page of another site, and what is no address of sign-in', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    expect(await statusOf({ path: '/api/auth/sign-in/email', headers })).toBe(403);
    expect(await statusOf({ path: '/api/auth/unknown', headers: { origin: cuebird.url } })).toBe(404);
  });

  it('a workspace whose hour of API calls is spent', async () => {
    const spent = await dana.createWorkspace('Busy');
    const { json } = await dana.call('POST', '/api/api-keys', {
      workspace: spent,
      body: { name: 'CRM', scopes: ['send', 'read', 'manage'] },
    });
    await database.query(
      "insert into request_counts (workspace_id, bucket, used, expires_at) values ($1, 'api', 1000000, now() + interval '1 hour')",
      [spent],
    );
    const headers = { authorization: `Bearer ${json.key}` };
    expect(await statusOf({ path: '/api/reminders', headers })).toBe(429);
  });

  it.each([
    '/api/reminders/not-an-id?colour=red',
    '/api/jobs?limit=1&limit=2',
    '/api/jobs?cursor=%00',
    '/api/jobs/%ff/deliveries',
  ])('%s: a stranger learns nothing of what is wrong in it', async (path) => {
    expect((await fetch(`${cuebird.url}${path}`)).status).toBe(401);
    expect((await stranger.call('GET', path, { workspace })).status).toBe(404);
  });

  it('bodies that are slow to arrive hold no connection to the database', async () => {
    const slow = Array.from({ length: 30 }, () => open({ path: '/api/reminders', headers: of(dana), begin: '{' }));
    const [first] = slow;
    // All thirty are admitted or wait for admission; then one is sent completely.
    expect((await dana.call('GET', '/api/reminders', { workspace })).status).toBe(200);
    first?.request.end('}'.padEnd(499));
    expect((await first?.answer)?.statusCode).toBe(400);
  });

  it('a body that breaks off is a bad request, and no failure of ours', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('aborted')) });
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
    const broken = new Request(cuebird.url, init);
    await expect(readBytes(broken, { maxKiB: 1 })).rejects.toThrow('The body ended too early');
  });

  describe('and its sender is checked again when it has been read', () => {
    const guard = (person: { signedIn: boolean } = { signedIn: true }) => ({
      auth: {
        requirePerson: async () => {
          if (!person.signedIn) throw new Unauthenticated();
          return {
            userId: member.userId,
            sessionId: '00000000-0000-4000-8000-000000000000',
            email: member.email,
            fullName: 'Member',
            isSystemAdmin: false,
            isDemo: false,
            secondFactorAskedAt: null,
          };
        },
        assertReauthenticated: async () => {},
      },
      db: cuebird.database.app,
      now: systemClock.now,
      billing: 'on' as const,
      settings: () => defaultSettings,
    });

    const asking = (headers: Record<string, string>) => ({
      request: new Request(`${cuebird.url}/api/reminders`, { method: 'POST', headers }),
      headers: new Headers(),
      clientAddress: '203.0.113.7',
    });

    it('who was removed meanwhile is a stranger', async () => {
      const admission = await admit(routes.createReminder, {
        ...asking({ 'x-workspace-id': workspace }),
        deps: guard(),
      });
      expect(await admission.enter(async (ctx) => ctx !== null && 'role' in ctx && ctx.role)).toBe('member');
      await database.query('delete from workspace_members where user_id = $1', [member.userId]);
      await expect(admission.enter(async () => 'done')).rejects.toThrow('There is no such workspace');
      await addMember(database, { workspace, userId: member.userId, role: 'member' });
    });

    it('who is removed while an answer is sent gets no more of it', async () => {
      const admission = await admit(routes.createReminder, {
        ...asking({ 'x-workspace-id': workspace }),
        deps: guard(),
      });
      const answer = admission.enter(
        async () =>
          new AfterCommit(async (again) => {
            expect(await again(async () => 'a page')).toBe('a page');
            await database.query('delete from workspace_members where user_id = $1', [member.userId]);
            return again(async () => 'another page');
          }),
      );
      await expect(answer).rejects.toThrow('There is no such workspace');
      await addMember(database, { workspace, userId: member.userId, role: 'member' });
    });

    /** What happens to the second page of an answer, when this has happened after the first. */
    async function secondPage(
      { headers, deps = guard() }: { headers: Record<string, string>; deps?: ReturnType<typeof guard> },
      happens: () => unknown,
    ): Promise<unknown> {
      const admission = await admit(routes.exportContacts, { ...asking(headers), deps });
      return admission.enter(
        async () =>
          new AfterCommit(async (again) => {
            expect(await again(async () => 'a page')).toBe('a page');
            await happens();
            return again(async () => 'another page');
          }),
      );
    }

    it('who signs out or is suspended while an answer is sent gets no more of it', async () => {
      const person = { signedIn: true };
      const headers = { 'x-workspace-id': workspace };
      const page = secondPage({ headers, deps: guard(person) }, () => {
        person.signedIn = false;
      });
      await expect(page).rejects.toThrow('Sign in first');
    });

    it.each([
      ['delete_after', 'being deleted'],
      ['suspended_at', 'suspended'],
    ])('while an answer is sent, a workspace with %s sends no more of it', async (column, words) => {
      const elsewhere = await member.createWorkspace('Oak Lane');
      const page = secondPage({ headers: { 'x-workspace-id': elsewhere } }, () =>
        database.query(`update workspaces set ${column} = now() where id = $1`, [elsewhere]),
      );
      await expect(page).rejects.toThrow(`This workspace is ${words}`);
    });

    it('a key that is revoked while an answer is sent gets no more of it', async () => {
      const of = { workspace: await dana.createWorkspace('Oak Lane') };
      const { json } = await dana.call('POST', '/api/api-keys', { ...of, body: { name: 'CRM', scopes: ['read'] } });
      const page = secondPage({ headers: { authorization: `Bearer ${json.key}` } }, () =>
        dana.call('DELETE', `/api/api-keys/${json.id}`, of),
      );
      await expect(page).rejects.toThrow('This API key was revoked');
    });

    it('who has signed out meanwhile is nobody', async () => {
      const person = { signedIn: true };
      const admission = await admit(routes.createReminder, {
        ...asking({ 'x-workspace-id': workspace }),
        deps: guard(person),
      });
      person.signedIn = false;
      await expect(admission.enter(async () => 'done')).rejects.toThrow('Sign in first');
    });

    it('a key that was revoked meanwhile opens nothing, and the request was counted once', async () => {
      const { json } = await dana.call('POST', '/api/api-keys', {
        workspace,
        body: { name: 'CRM', scopes: ['send', 'read', 'manage'] },
      });
      const admission = await admit(routes.createReminder, {
        ...asking({ authorization: `Bearer ${json.key}` }),
        deps: guard(),
      });
      expect(await admission.enter(async () => 'done')).toBe('done');
      const counted = await database.query(
        "select used from request_counts where workspace_id = $1 and bucket = 'api'",
        [workspace],
      );
      expect(counted.rows).toEqual([{ used: 1 }]);
      await dana.call('DELETE', `/api/api-keys/${json.id}`, { workspace });
      await expect(admission.enter(async () => 'done')).rejects.toThrow('This API key was revoked');
    });
  });

  describe('and large bodies are bounded in number', () => {
    const almost = 5 * 1024 * 1024;

    const largeCsv = `Name,Email\nBert,bert@example.com\n${`${'x'.repeat(95_000)},\n`.repeat(20)}`;

    /** Sends an import without its last byte. */
    const sendMostOf = (person: TestPerson) =>
      open({
        path: '/api/contacts/import',
        headers: of(person),
        length: almost,
        begin: `{"mode":"preview","csv":"${' '.repeat(almost)}`.slice(0, almost - 1),
      });

    it('a third import of the same person at once is told to wait, and others are served', async () => {
      const sent = [sendMostOf(dana), sendMostOf(dana), sendMostOf(dana)];
      const refused = await Promise.race(sent.map(({ answer }) => answer));
      expect(refused.statusCode).toBe(429);
      expect(refused.headers['retry-after']).toBe('5');
      expect((await dana.call('POST', '/api/reminders', { workspace, body: sampleReminder })).status).toBe(201);
      const other = await member.call('POST', '/api/contacts/import', {
        workspace,
        body: { mode: 'preview', csv: largeCsv },
      });
      expect(other.status).toBe(200);
    });

    it('three people who send most of three imports each and stop leave room for the import of another', async () => {
      for (const name of ['Ann', 'Ben', 'Cleo']) {
        const person = await cuebird.signUp(name);
        await addMember(database, { workspace, userId: person.userId, role: 'member' });
        const sent = [sendMostOf(person), sendMostOf(person), sendMostOf(person)];
        const refused = await Promise.race(sent.map(({ answer }) => answer));
        expect([429, 503]).toContain(refused.statusCode);
      }
      const body = { mode: 'preview', csv: largeCsv };
      expect((await dana.call('POST', '/api/contacts/import', { workspace, body })).status).toBe(200);
    });

    it('and is served once the others have ended', async () => {
      const body = { mode: 'preview', csv: largeCsv };
      for (let count = 0; count < 8; count += 1)
        expect((await dana.call('POST', '/api/contacts/import', { workspace, body })).status).toBe(200);
    });
  });

  describe('and what it is told is bounded', () => {
    it('80,000 unknown fields: to nobody what they are, and to a member that they are too many', async () => {
      const keys = Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`k${index}`, 0]));
      const body = JSON.stringify(keys);
      const headers = { 'content-type': 'application/json' };
      const strange = await fetch(`${cuebird.url}/api/reminders`, { method: 'POST', headers, body });
      expect(strange.status).toBe(401);
      const known = await dana.call('POST', '/api/reminders', { workspace, body });
      expect(known.json.error.message).toBe('The body has an object of more than 1000 names');
      expect(known.status).toBe(400);
    });

    it('names fifty fields and says how many more are wrong', async () => {
      const keys = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`k${index}`, 0]));
      const { status, json } = await dana.call('POST', '/api/reminders', {
        workspace,
        body: { ...sampleReminder, ...keys },
      });
      const { error } = ErrorAnswer.parse(json);
      expect(status).toBe(400);
      expect(error.fields).toHaveLength(50);
      expect(error.fields?.[0]).toEqual({ path: 'k0', message: 'is not a known field' });
      expect(error.more_fields).toBe(850);
    });

    it.each([
      ['one name of a megabyte', { ['x'.repeat(1_000_000)]: 1 }],
      ['names of control characters', Object.fromEntries(manyNames('\u0001'.repeat(500)))],
      ['names of characters that take three bytes', Object.fromEntries(manyNames('€'.repeat(3_000)))],
      ['half a character at the cut', { ['x'.repeat(198) + '𝒳'.repeat(10)]: 1 }],
    ])('%s: the answer stays below 64 KB', async (_, body) => {
      const { status, json } = await dana.call('POST', '/api/reminders', { workspace, body });
      expect(status).toBe(400);
      expect(Buffer.byteLength(JSON.stringify(json))).toBeLessThan(64_000);
      expect(JSON.stringify(json).isWellFormed()).toBe(true);
    });
  });
});

const manyNames = (name: string) => Array.from({ length: 100 }, (_, index) => [`${index}${name}`, 0] as const);
