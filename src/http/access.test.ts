import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorAnswer } from '#contract/errors.ts';
import { type ApiKeyRole, apiKeyRoles } from '#contract/api-keys.ts';
import type { Access, Route } from '#contract/route.ts';
import { type RouteName, routes } from '#contract/routes.ts';
import { prepareAdminSetup } from '#features/auth/admin-setup.service.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember, connectOwner } from '#testing/owner.ts';
import {
  galleryRoutes,
  insertInvitation,
  insertMember,
  insertThings,
  routeNames,
  sampleRequest,
  signedRoutes,
  type Things,
  type Tokens,
} from '#testing/samples.ts';

/** Lowest role first: each may do what those before it may. `outsider` owns another workspace. */
const ranks = ['anonymous', 'outsider', 'member', 'admin', 'owner'] as const;
type Rank = (typeof ranks)[number];

const lowestAllowed: Record<Exclude<Access, 'system_admin'>, Rank> = {
  public: 'anonymous',
  user: 'outsider',
  member: 'member',
  admin: 'admin',
  owner: 'owner',
};

/** 'let in', or the status of the refusal, according to the route's declaration. */
function expectation(access: keyof typeof lowestAllowed, rank: Rank): 'let in' | number {
  if (ranks.indexOf(rank) >= ranks.indexOf(lowestAllowed[access])) return 'let in';
  if (rank === 'anonymous') return 401;
  return rank === 'outsider' ? 404 : 403;
}

/** What an API key of this role may do, according to the route's declaration. */
function expectationOfKey({ access, callers }: Route, role: ApiKeyRole): 'let in' | number {
  if (access === 'public') return 'let in';
  if (access === 'user' || access === 'system_admin' || callers === 'people') return 403;
  return ranks.indexOf(role) >= ranks.indexOf(lowestAllowed[access]) ? 'let in' : 403;
}

describe('who may call what', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let workspace: string;
  let neighbour: string;
  let people: Record<Exclude<Rank, 'anonymous'>, TestPerson>;
  /** With a second owner the first can leave. */
  let coOwner: TestPerson;

  beforeAll(async () => {
    cuebird = await startTestCuebird({ env: { DEMO: 'on' } });
    database = await connectOwner(cuebird.databaseUrl);
    const [owner, admin, member, outsider] = await Promise.all([
      cuebird.signUp('Owner'),
      cuebird.signUp('Admin'),
      cuebird.signUp('Member'),
      cuebird.signUp('Outsider'),
    ]);
    people = { owner, admin, member, outsider };
    workspace = await owner.createWorkspace('Here');
    neighbour = await outsider.createWorkspace('Next door');
    coOwner = await cuebird.signUp('Co-owner');
    await restoreRoles();
  });
  afterAll(async () => {
    await database.end();
    await cuebird.stop();
  });

  /** What tests change by leaving and by transfers. */
  const restoreRoles = () =>
    database.query(
      `with others as (delete from workspace_members where workspace_id = $1 and user_id <> all($2::uuid[]))
       insert into workspace_members (workspace_id, user_id, role)
       select $1, * from unnest($2::uuid[], array['owner', 'owner', 'admin', 'member'])
       on conflict (workspace_id, user_id) do update set role = excluded.role`,
      [workspace, [people.owner, coOwner, people.admin, people.member].map(({ userId }) => userId)],
    );

  /** What tests change by renaming, deleting and restoring it. */
  const restoreWorkspace = ({ isDeleted = false } = {}) =>
    database.query(
      "update workspaces set name = 'Elm Street', delete_after = case when $2 then now() + interval '1 day' end where id = $1",
      [workspace, isDeleted],
    );

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

  function attempt(name: RouteName, { as, things, header }: { as: Rank; things: Things; header: string }) {
    const credentials: Record<string, string> = as === 'anonymous' ? {} : { cookie: people[as].cookie };
    return attemptWith(name, { things, headers: { 'x-workspace-id': header, ...credentials } });
  }

  async function attemptWith(
    name: RouteName,
    { things, headers }: { things: Things; headers: Record<string, string> },
  ) {
    const { method, path, body } = sampleRequest(name, things, await tokensFor(name));
    const response = await fetch(`${cuebird.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    // A refusal is read to its end; an admitted stream would never end.
    if (response.status >= 400) return { status: response.status, refusal: ErrorAnswer.parse(await response.json()) };
    await response.body?.cancel();
    return { status: response.status, refusal: null };
  }

  /**
   * Things of the test's own where it may change them or other tests take them away, and common ones where it is refused or only reads.
   */
  async function thingsFor(name: RouteName, expected: 'let in' | number): Promise<Things> {
    const isTakenAway = name === 'getPersonPicture' || name === 'getWorkspacePicture';
    if (expected === 'let in' && (isTakenAway || routes[name].method !== 'get')) return newThings(workspace);
    common ??= await newThings(workspace);
    return common;
  }
  let common: Things | undefined;

  async function newThings(of: string): Promise<Things> {
    // A workspace has a bounded number of groups. Those of earlier tests are of no more use.
    await database.query('delete from contact_groups where workspace_id = $1 and id is distinct from $2', [
      of,
      common?.contactGroup ?? null,
    ]);
    const things = await insertThings(database, { workspace: of, userId: people.owner.userId });
    await insertMember(database, things);
    // Of these, too, a workspace has a bounded number.
    await database.query('delete from workspace_invitations where workspace_id = $1 and id is distinct from $2', [
      of,
      common?.invitation ?? null,
    ]);
    await insertInvitation(database, things, { email: `${things.invitation}@example.com` });
    return things;
  }

  /** Creates a row in a workspace that nobody else can reach. */
  const isOfOneWorkspace = (name: RouteName) =>
    'params' in routes[name] &&
    !['public', 'system_admin'].includes(routes[name].access) &&
    !galleryRoutes.includes(name);

  const guarded = routeNames.filter((name) => !signedRoutes.includes(name));
  const cases = guarded.flatMap((name) => {
    const { access } = routes[name];
    return access === 'system_admin' ? [] : ranks.map((rank) => ({ name, rank, access }));
  });

  it.each(cases)('$name is for $access: $rank', async ({ name, rank, access }) => {
    const expected = expectation(access, rank);
    await restoreRoles();
    await restoreWorkspace({ isDeleted: name === 'restoreWorkspace' });
    const things = await thingsFor(name, expected);
    if (name === 'acceptInvitation' && rank !== 'anonymous')
      await database.query('update workspace_invitations set email = $2 where id = $1', [
        things.invitation,
        people[rank].email,
      ]);
    const { status, refusal } = await attempt(name, { as: rank, things, header: workspace });
    if (expected === 'let in') expect(status, refusal?.error.message).toBeLessThan(400);
    else expect(status).toBe(expected);
  });

  it.each(routeNames.filter((name) => routes[name].access === 'system_admin'))(
    '%s is for who administers the installation, which is more than to own a workspace',
    async (name) => {
      const things = await newThings(workspace);
      const [owner, administrator] = [await cuebird.signUp('Owner'), await cuebird.signUp('Administrator')];
      await owner.createWorkspace('Her own');
      await database.query('update profiles set is_system_admin = true where id = $1', [administrator.userId]);
      const by = async (cookie: string) => (await attemptWith(name, { things, headers: { cookie } })).status;
      expect([await by(''), await by(owner.cookie)]).toEqual([401, 403]);
      expect(await by(administrator.cookie)).toBeLessThan(400);
    },
  );

  describe('with an API key', () => {
    const keys = new Map<ApiKeyRole, string>();
    let keyNextDoor: string;
    beforeAll(async () => {
      // Rate limits are off here.
      await database.query("update workspaces set subscription_tier = 'enterprise'");
      const make = async (as: TestPerson, of: string, role: ApiKeyRole) => {
        const made = await as.call('POST', '/api/api-keys', { workspace: of, body: { name: role, role } });
        return made.json.key as string;
      };
      for (const role of apiKeyRoles) keys.set(role, await make(people.owner, workspace, role));
      keyNextDoor = await make(people.outsider, neighbour, 'admin');
    });

    const keyCases = guarded.flatMap((name) =>
      apiKeyRoles.map((role) => {
        const route: Route = routes[name];
        const whom = route.callers === 'people' ? `${route.access}, people only` : route.access;
        return { name, role, whom, expected: expectationOfKey(route, role) };
      }),
    );

    it.each(keyCases)('$name is for $whom: $role key gets $expected', async ({ name, role, expected }) => {
      const headers = { authorization: `Bearer ${keys.get(role)}` };
      const { status, refusal } = await attemptWith(name, { things: await thingsFor(name, expected), headers });
      if (expected === 'let in') expect(status, refusal?.error.message).toBeLessThan(400);
      else expect(status).toBe(expected);
    });

    const tenantRoutes = guarded.filter((name) => expectationOfKey(routes[name], 'admin') === 'let in');

    it.each(tenantRoutes.filter(isOfOneWorkspace))(
      '%s does not reach into the workspace of another key',
      async (name) => {
        const things = await newThings(workspace);
        const before = await contentOf(workspace);
        const { status } = await attemptWith(name, { things, headers: { authorization: `Bearer ${keyNextDoor}` } });
        // The query names another workspace than the key's.
        expect(status).toBe(name === 'getInboxHtml' || name === 'getTemplateHtml' ? 403 : 404);
        expect(await contentOf(workspace)).toBe(before);
      },
    );
  });

  it.each(routeNames.filter(isOfOneWorkspace))(
    '%s does not reach into the workspace next door, not even for an owner who knows its ids',
    async (name) => {
      const theirs = await newThings(neighbour);
      const before = await contentOf(neighbour);
      const { status } = await attempt(name, { as: 'owner', things: theirs, header: workspace });
      expect(status).toBe(404);
      expect(await contentOf(neighbour)).toBe(before);
    },
  );

  it.each(routeNames.filter((name) => routes[name].access === 'member' && name !== 'openStream'))(
    '%s asks for the workspace when the header is missing, and knows none by a wrong name',
    async (name) => {
      const { method, path, body } = sampleRequest(name, await newThings(workspace), await tokensFor(name));
      const bare = path.replace(/[?&]workspace=[^&]*/, '');
      if (bare === path) {
        const without = await people.owner.call(method, path, { body });
        expect(without.json.error.fields[0].path).toBe('X-Workspace-Id');
        expect(without.status).toBe(400);
      }
      for (const wrong of ['not-a-uuid', '', neighbour]) {
        const answer = await people.owner.call(method, path, { body, headers: { 'x-workspace-id': wrong } });
        expect(answer.status).toBe(404);
      }
    },
  );

  it('filters by an id of the workspace next door find nothing', async () => {
    const theirs = await newThings(neighbour);
    const jobs = await people.owner.call('GET', `/api/jobs?reminder_id=${theirs.reminder}`, { workspace });
    expect(jobs.json.data).toEqual([]);
    const runs = await people.owner.call('GET', `/api/job-executions?job_id=${theirs.failedJob}`, { workspace });
    expect(runs.json.data).toEqual([]);
  });

  it('a session that was signed out or made up opens nothing', async () => {
    const leaver = await cuebird.signUp('Leaver');
    expect((await leaver.call('GET', '/api/workspaces')).status).toBe(200);
    await leaver.call('POST', '/api/auth/sign-out', { body: {}, headers: { origin: cuebird.url } });
    expect((await leaver.call('GET', '/api/workspaces')).status).toBe(401);
    const forged = leaver.cookie.replace(/=.*/, '=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA.forged');
    expect((await leaver.call('GET', '/api/workspaces', { headers: { cookie: forged } })).status).toBe(401);
  });

  it('a member who is removed is a stranger at the next request', async () => {
    const guest = await cuebird.signUp('Guest');
    await addMember(database, { workspace, userId: guest.userId, role: 'member' });
    expect((await guest.call('GET', '/api/reminders', { workspace })).status).toBe(200);
    await database.query('delete from workspace_members where user_id = $1', [guest.userId]);
    expect((await guest.call('GET', '/api/reminders', { workspace })).status).toBe(404);
  });

  /** Every row of a workspace, as one text. */
  async function contentOf(of: string): Promise<string> {
    const tables = [
      'reminders',
      'jobs',
      'channels',
      'workspace_members',
      'workspace_invitations',
      'pictures',
      'sandbox_messages',
      'sandbox_simulated_failures',
      'api_keys',
      'events',
      'reminder_hooks',
      'templates',
      'template_categories',
      'template_versions',
    ];
    const parts = tables.map(
      (table) => `select '${table}' as t, to_jsonb(x) as r from ${table} x where workspace_id = $1`,
    );
    const { rows } = await database.query<{ content: string }>(
      `select string_agg(t || r::text, E'\\n' order by t, r::text) as content from (${parts.join(' union all ')}) every`,
      [of],
    );
    return rows[0]?.content ?? '';
  }
});
