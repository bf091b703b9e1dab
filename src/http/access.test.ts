import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorAnswer } from '#contract/errors.ts';
import { type RouteName, routes } from '#contract/routes.ts';
import { scopesOf } from '#contract/route.ts';
import type { Scope } from '#contract/scopes.ts';
import { prepareAdminSetup } from '#features/auth/admin-setup.service.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { openEventStream } from '#testing/event-stream.ts';
import { insertBackup } from '#testing/sample-backup.ts';
import { addMember } from '#testing/owner.ts';
import { audienceOf, declaredAudience, scopesFor, staleRows } from '#testing/route-access.ts';
import { sample } from '#testing/sample.ts';
import { routeNames, sampleRequest, signedRoutes, type Tokens } from '#testing/sample-requests.ts';
import {
  insertAccountThings,
  insertInvitation,
  insertMember,
  insertThings,
  type Things,
} from '#testing/sample-rows.ts';
import { insertSupportRequest } from '#testing/sample-support-request.ts';
import { sendSample } from '#testing/send-sample.ts';

/** From the weakest to the strongest. */
const people = [
  'anonymous',
  // Signed in before this installation required verified addresses.
  'unverified',
  // With a password and without the code.
  'second factor due',
  // With the cookie of before.
  'suspended',
  'removed member',
  'outsider',
  'administrator',
  'member',
  'admin',
  'owner',
] as const;
/** The keys, with their scopes; the older one was made as a member's, before there were scopes. */
const keys = {
  'send key': ['send'],
  'read key': ['read'],
  'manage key': ['manage'],
  'older key': ['send', 'read', 'manage'],
  'revoked key': ['send', 'read', 'manage'],
  'key of another workspace': ['send', 'read', 'manage'],
} as const satisfies Record<string, readonly Scope[]>;
/** From the weakest to the strongest. */
const programs = [
  'revoked key',
  'key of another workspace',
  'send key',
  'read key',
  'older key',
  'manage key',
] as const;
type Program = (typeof programs)[number];
type Caller = (typeof people)[number] | Program;
type Verdict = 'let in' | number;

const ranks: readonly string[] = ['member', 'admin', 'owner'];

/** 'let in', or the status of the refusal. */
function verdict(name: RouteName, caller: Caller): Verdict {
  const audience = audienceOf(name);
  if (audience === 'public') return 'let in';
  if (['anonymous', 'unverified', 'second factor due', 'suspended', 'revoked key'].includes(caller)) return 401;
  if (isProgram(caller)) {
    if (caller === 'key of another workspace' || audience === 'user' || audience === 'system_admin') return 403;
    if (audience.endsWith('people')) return 403;
    const scopes: readonly Scope[] = keys[caller];
    if (!scopesFor(name).some((scope) => scopes.includes(scope))) return 403;
    // The job of the sample is not one that it has asked for.
    if (name === 'getJob' && caller === 'send key') return 404;
    return caller === 'manage key' || audience === 'member' ? 'let in' : 403;
  }
  if (audience === 'user') return 'let in';
  if (audience === 'system_admin') return caller === 'administrator' ? 'let in' : 403;
  if (!ranks.includes(caller)) return 404;
  return ranks.indexOf(caller) >= ranks.indexOf(audience.replace(', people', '')) ? 'let in' : 403;
}

const isProgram = (caller: Caller): caller is Program => caller in keys;

describe('who may call what', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let workspace: string;
  let coOwner: TestPerson;
  let common: Things;
  let workspaceRow: string;
  const persons = new Map<Caller, TestPerson>();
  const headersOf = new Map<Caller, Record<string, string>>();

  beforeAll(async () => {
    cuebird = await startTestCuebird({ env: { DEMO: 'on', EMAIL_VERIFICATION: 'on' } });
    database = cuebird.owner;
    await insertBackup(cuebird.dataDir);
    await insertSupportRequest(database);
    for (const caller of people.slice(1)) persons.set(caller, await signIn(caller));
    coOwner = await signIn('Co-owner');
    workspace = await person('owner').createWorkspace('Elm Street');
    const nextDoor = await person('outsider').createWorkspace('Next door');
    await restore();
    // Rate limits are off here.
    await database.query("update workspaces set subscription_tier = 'enterprise'");
    for (const [caller, { cookie }] of persons) headersOf.set(caller, { cookie, 'x-workspace-id': workspace });
    headersOf.set('anonymous', { 'x-workspace-id': workspace });
    await makeKeys(nextDoor);
    const { rows } = await database.query('select to_jsonb(w)::text as row from workspaces w where id = $1', [
      workspace,
    ]);
    workspaceRow = rows[0].row;
    common = await newThings();
    await endAccess();
  });
  afterAll(() => cuebird.stop());

  const person = (caller: Caller): TestPerson => {
    const found = persons.get(caller);
    if (found === undefined) throw new Error(`${caller} is nobody`);
    return found;
  };

  /** Somebody whose address is verified, in a session of their own. */
  async function signIn(name: string): Promise<TestPerson> {
    const signedUp = await cuebird.signUp(name);
    await database.query('update profiles set email_verified = true, is_system_admin = $2 where id = $1', [
      signedUp.userId,
      name === 'administrator',
    ]);
    const answer = await fetch(`${cuebird.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: cuebird.url },
      body: JSON.stringify({ email: signedUp.email, password: 'correct horse battery' }),
    });
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const call: TestPerson['call'] = (method, path, options = {}) =>
      signedUp.call(method, path, { ...options, headers: { cookie, ...options.headers } });
    const createWorkspace = async (title: string) =>
      (await call('POST', '/api/workspaces', { body: { name: title } })).json.id;
    return { ...signedUp, cookie, call, createWorkspace };
  }

  async function makeKeys(nextDoor: string): Promise<void> {
    const make = async (caller: Program, { as, of }: { as: TestPerson; of: string }) => {
      const made = await as.call('POST', '/api/api-keys', {
        workspace: of,
        body: { name: caller, scopes: keys[caller] },
      });
      headersOf.set(caller, { authorization: `Bearer ${made.json.key}` });
      return made.json.id;
    };
    const [as, of] = [person('owner'), workspace];
    for (const caller of ['send key', 'read key', 'manage key'] as const) await make(caller, { as, of });
    const older = await make('older key', { as, of });
    await database.query("update api_keys set role = 'member' where id = $1", [older]);
    const revoked = await make('revoked key', { as, of });
    await as.call('DELETE', `/api/api-keys/${revoked}`, { workspace });
    await make('key of another workspace', { as: person('outsider'), of: nextDoor });
    headersOf.set('key of another workspace', {
      ...headersOf.get('key of another workspace'),
      'x-workspace-id': workspace,
    });
  }

  /** Four people lose their access while their sessions are cached. */
  async function endAccess(): Promise<void> {
    for (const caller of ['unverified', 'second factor due', 'suspended', 'removed member'] as const) {
      await addMember(database, { workspace, userId: person(caller).userId, role: 'admin' });
      expect((await person(caller).call('GET', '/api/reminders', { workspace })).status).toBe(200);
    }
    const stream = await openEventStream(cuebird.url, { as: person('suspended'), workspace });
    await database.query('update profiles set email_verified = false where id = $1', [person('unverified').userId]);
    await database.query('update profiles set two_factor_enabled = true where id = $1', [
      person('second factor due').userId,
    ]);
    await person('administrator').call('PUT', `/api/admin/people/${person('suspended').userId}/suspension`);
    await person('owner').call(
      'DELETE',
      `/api/workspaces/${workspace}/members/${await membershipOf(person('removed member'))}`,
      { workspace },
    );
    // What the process is told comes in order: with the end of this stream it knows of the change before.
    while ((await stream.next()) !== null);
  }

  async function membershipOf({ userId }: TestPerson): Promise<string> {
    const { rows } = await database.query('select id from workspace_members where workspace_id = $1 and user_id = $2', [
      workspace,
      userId,
    ]);
    return rows[0].id;
  }

  /** What earlier requests changed: members who left, ownership, the workspace itself. */
  async function restore(): Promise<void> {
    const members = [person('owner'), coOwner, person('admin'), person('member')].map(({ userId }) => userId);
    await database.query(
      `with others as (
         delete from workspace_members where workspace_id = $1 and user_id <> all($2::uuid[]) and id is distinct from $3
       )
       insert into workspace_members (workspace_id, user_id, role)
       select $1, * from unnest($2::uuid[], array['owner', 'owner', 'admin', 'member'])
       on conflict (workspace_id, user_id) do update set role = excluded.role`,
      [workspace, members, common?.member ?? null],
    );
    if (workspaceRow === undefined) return;
    const { rows } = await database.query<{ columns: string[] }>(
      `select array_agg(attname::text) as columns from pg_attribute
        where attrelid = 'workspaces'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname <> 'id'`,
    );
    const columns = rows[0]?.columns ?? [];
    await database.query(
      `update workspaces w set (${columns.join(', ')}) = (select ${columns.map((name) => `r.${name}`).join(', ')}
         from jsonb_populate_record(null::workspaces, $2::jsonb) r) where id = $1`,
      [workspace, workspaceRow],
    );
  }

  async function newThings(): Promise<Things> {
    // A workspace has a bounded number of these. Those of earlier tests are of no more use.
    for (const [table, kept] of [
      ['contact_groups', common?.contactGroup],
      ['workspace_invitations', common?.invitation],
      ['webhooks', common?.webhook],
      ['monthly_reports', common?.monthlyReport],
      ['topics', common?.topic],
    ])
      await database.query(`delete from ${table} where workspace_id = $1 and id is distinct from $2`, [
        workspace,
        kept ?? null,
      ]);
    const things = await insertThings(database, { workspace, userId: person('owner').userId });
    await insertMember(database, things);
    await insertInvitation(database, things, { email: `${things.invitation}@example.com` });
    return things;
  }

  async function tokensFor(name: RouteName): Promise<Tokens> {
    // An admin-setup link works once: every try gets a new one.
    const isSetup = name === 'completeAdminSetup';
    if (isSetup) await database.query('update profiles set is_system_admin = false');
    const token = (link: string | null) => new URL(link ?? '').searchParams.get('token') ?? '';
    return {
      adminSetup: (isSetup ? await prepareAdminSetup(cuebird.database.auth) : null) ?? '',
      demo: token(cuebird.links.demo),
      accountMail: token(cuebird.links.accountMail),
    };
  }

  /** Somebody new of the same kind, who may change or delete the own account. */
  async function another(caller: Caller): Promise<TestPerson> {
    const made = await signIn(caller);
    if (ranks.includes(caller))
      await database.query('insert into workspace_members (workspace_id, user_id, role) values ($1, $2, $3)', [
        workspace,
        made.userId,
        caller,
      ]);
    return made;
  }

  async function expectLetIn(name: RouteName, caller: Caller): Promise<void> {
    const isReading = routes[name].method === 'get';
    if (!isReading) await restore();
    if (name === 'restoreWorkspace' || name === 'restoreDeletedWorkspace')
      await database.query("update workspaces set delete_after = now() + interval '1 day' where id = $1", [workspace]);
    // A workspace has one picture, and a member one feed of a kind, which other tests take away.
    const isTakenAway = name === 'getWorkspacePicture' || name === 'getLogo' || name === 'readCalendar';
    // A page of the payment provider is for one person.
    // An owner who leaves ends the keys that the other tests use.
    const isOwn =
      name === 'leaveWorkspace' || (audienceOf(name) === 'user' && (!isReading || name === 'getPaymentPage'));
    const things = isReading && !isTakenAway && !isOwn ? common : await newThings();
    let headers = headersOf.get(caller) ?? {};
    if (isOwn) {
      const own = await another(caller);
      const { cookie, email } = own;
      headers = { cookie, ...(name === 'leaveWorkspace' && { 'x-workspace-id': workspace }) };
      await insertAccountThings(database, things, own);
      await database.query('update workspace_invitations set email = $2 where id = $1', [things.invitation, email]);
    }
    // Nobody ends another member's.
    if (name === 'endCalendarFeed')
      await database.query('update calendar_feeds set user_id = $2 where id = $1', [
        things.calendarFeed,
        person(caller).userId,
      ]);
    // A workspace has so many calendars at most.
    if (name === 'createCalendarSource') await database.query('delete from calendar_sources');
    // A browser belongs to whoever subscribed it last.
    if (name === 'testPush') await sendSample(cuebird.url, { name: 'addPushBrowser', things, headers });
    // It is made when it is shown first.
    if (name === 'rotateSigningSecret') await sendSample(cuebird.url, { name: 'revealSigningSecret', things, headers });
    const answer = await sendSample(cuebird.url, { name, things, tokens: await tokensFor(name), headers });
    const story = `${name} as ${caller}: ${answer.text.slice(0, 300)}`;
    // Whoever is let in has typed another address than their own.
    if (name === 'deleteAccount') expect(answer.text, story).toContain('Type ');
    else expect(answer.status, story).toBeLessThan(400);
  }

  async function expectRefused(name: RouteName, caller: Caller): Promise<void> {
    const answer = await sendSample(cuebird.url, { name, things: common, headers: headersOf.get(caller) ?? {} });
    expect(answer.status, `${name} as ${caller}: ${answer.text.slice(0, 300)}`).toBe(verdict(name, caller));
    ErrorAnswer.parse(JSON.parse(answer.text));
  }

  it('has a row for each route, which is what the contract declares, and no row of a route that is gone', () => {
    for (const name of routeNames) {
      expect(audienceOf(name), name).toBe(declaredAudience(routes[name]));
      expect(scopesFor(name), name).toEqual(scopesOf(routes[name]));
    }
    expect(staleRows()).toEqual([]);
  });

  // Last, as it takes the administrator's rights away.
  const inOrder = routeNames.toSorted(
    (a, b) => Number(a === 'completeAdminSetup') - Number(b === 'completeAdminSetup'),
  );

  const unsigned = inOrder.filter((name) => !signedRoutes.includes(name));
  it.each(sample.draw(unsigned, { name: 'routes', count: unsigned.length / 2 }))('%s', async (name) => {
    const isLetIn = (caller: Caller) => verdict(name, caller) === 'let in';
    const callers = sample.draw([...people, ...programs], {
      name: `callers of ${name}`,
      count: 4,
      // The strongest who is refused, and the weakest who is let in.
      always: [people, programs].flatMap((kind) => [
        ...kind.filter((caller) => !isLetIn(caller)).slice(-1),
        ...kind.filter(isLetIn).slice(0, 1),
      ]),
    });
    await restore();
    await Promise.all(callers.filter((caller) => !isLetIn(caller)).map((caller) => expectRefused(name, caller)));
    for (const caller of callers.filter(isLetIn)) await expectLetIn(name, caller);
  });

  it('a request without a workspace is told to name one, and no wrong name is known', async () => {
    const names = routeNames.filter((name) => audienceOf(name) === 'member' && name !== 'openStream');
    const owner = person('owner');
    for (const name of names) {
      const { method, path, body } = sampleRequest(name, common, await tokensFor(name));
      const bare = path.replace(/[?&]workspace=[^&]*/, '');
      if (bare === path) {
        const without = await owner.call(method, path, { body });
        expect([without.status, without.json.error.fields?.[0].path], name).toEqual([400, 'X-Workspace-Id']);
      }
      for (const wrong of ['not-a-uuid', '', '00000000-0000-4000-8000-000000000000']) {
        const answer = await owner.call(method, path, { body, headers: { 'x-workspace-id': wrong } });
        expect(answer.status, `${name} in ${wrong}`).toBe(404);
      }
    }
  });

  it('a session that was signed out or made up opens nothing', async () => {
    const leaver = await signIn('Leaver');
    expect((await leaver.call('GET', '/api/workspaces')).status).toBe(200);
    await leaver.call('POST', '/api/auth/sign-out', { body: {}, headers: { origin: cuebird.url } });
    expect((await leaver.call('GET', '/api/workspaces')).status).toBe(401);
    const forged = leaver.cookie.replace(/=.*/, '=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA.forged');
    expect((await leaver.call('GET', '/api/workspaces', { headers: { cookie: forged } })).status).toBe(401);
  });
});
