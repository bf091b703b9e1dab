import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RouteName, routes } from '#contract/routes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { type Neighbour, settleNeighbour, tenantTables } from '#testing/neighbour.ts';
import { audienceOf } from '#testing/route-access.ts';
import { sample } from '#testing/sample.ts';
import { routeNames } from '#testing/sample-requests.ts';
import { sendSample } from '#testing/send-sample.ts';
import { admitEverybody, forgetWorkspaces } from '#testing/without-checks.ts';

/** Routes of one workspace. Of the others the token is the access, or they are for all workspaces on purpose. */
const ofWorkspaces = routeNames.filter((name) => !['public', 'user', 'system_admin'].includes(audienceOf(name)));
/** The addresses of the sandbox are calculated from the id that the request names. */
const reading = ofWorkspaces.filter((name) => routes[name].method === 'get' && name !== 'getSandboxAddresses');

/** Reading routes that would show nothing of the neighbour even without row-level security, and why. */
const showNothing: readonly RouteName[] = [
  // Asks for a session itself, and so does not depend on the guard.
  'openStream',
  // Asks for the caller's own membership.
  'getWorkspace',
  // The neighbour has nothing that these would show.
  'getWorkspaceImport',
  'getDeliveryDays',
  'exportDeliveryAnalytics',
  // Read by functions of the database that answer about the caller's own workspace only.
  'listContacts',
  'countContacts',
  // The neighbour has nothing that these would show.
  'listContactVariables',
  'listImports',
  'countConsents',
  'listErasures',
  'listJobExecutions',
  // The caller's own.
  'listCalendarFeeds',
  // The same for every workspace.
  'listChannelTypes',
  'getPushKey',
];

/**
 * The checks of the application are off in two ways. First the guard takes everybody for the owner of the workspace that a request names,
 * so that every statement asks for rows of the neighbour. Then statements no longer say whose rows they want. In both the database knows
 * who really asks, and nothing else stands between.
 */
describe('without the checks of the application, row-level security alone', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let workspace: string;
  let owner: TestPerson;
  let neighbour: Neighbour;
  let before: Record<string, string>;
  let tables: string[];

  beforeAll(async () => {
    cuebird = await startTestCuebird({
      admit: admitEverybody(() => ({ workspaceId: workspace, userId: owner.userId })),
    });
    database = cuebird.owner;
    owner = await cuebird.signUp('Owner');
    const other = await cuebird.signUp('Neighbour');
    const create = async ({ userId }: TestPerson) => {
      const { rows } = await database.query(
        `with made as (insert into workspaces (name, slug, subscription_tier) values ($1, $1, 'enterprise') returning id)
         insert into workspace_members (workspace_id, user_id, role) select id, $1::uuid, 'owner' from made
         returning workspace_id as id`,
        [userId],
      );
      return rows[0].id;
    };
    workspace = await create(owner);
    neighbour = await settleNeighbour(database, { workspace: await create(other), userId: other.userId });
    tables = [...(await tenantTables(database)).map(({ table }) => table), 'workspaces', 'profiles'];
    before = await neighbour.digest();
  });
  afterAll(() => cuebird.stop());

  /** What the answer says about the neighbour. */
  async function leaksOf(name: RouteName, { as }: { as: 'the neighbour' | 'nobody in particular' }) {
    const { things } = neighbour;
    const named = as === 'the neighbour' ? things.workspace : workspace;
    const { text, request } = await sendSample(cuebird.url, {
      name,
      // The path must name the workspace that the guard believes in.
      things: { ...things, workspace: named },
      headers: { 'x-workspace-id': named, origin: cuebird.url },
    });
    return neighbour.leaksIn(text, request);
  }

  /** What the same request says about a workspace that does not exist: not even a number may differ. */
  async function answerAbout(name: RouteName, who: 'the neighbour' | 'nobody'): Promise<string> {
    const unknown = Object.fromEntries(Object.keys(neighbour.things).map((field) => [field, randomUUID()]));
    const things = who === 'nobody' ? { ...neighbour.things, ...unknown } : neighbour.things;
    const headers = { 'x-workspace-id': things.workspace, origin: cuebird.url };
    const { text } = await sendSample(cuebird.url, { name, things, headers });
    return text.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'an id').replaceAll(/\d\d:\d\d:\d\d(\.\d+)?/g, 'a time');
  }

  /** Reading routes that distinguish the neighbour from a workspace that does not exist. */
  async function differingRoutes(): Promise<RouteName[]> {
    const found: RouteName[] = [];
    for (const name of reading) {
      const differs = (await answerAbout(name, 'the neighbour')) !== (await answerAbout(name, 'nobody'));
      if (differs || (await leaksOf(name, { as: 'the neighbour' })).length > 0) found.push(name);
    }
    return found;
  }

  const switchRowSecurity = async (state: 'enable' | 'disable', of: readonly string[]) => {
    for (const table of of) await database.query(`alter table ${table} ${state} row level security`);
  };

  it.each(sample.draw(ofWorkspaces, { name: 'routes for a neighbour', count: ofWorkspaces.length / 3 }))(
    '%s reaches nothing of a neighbour for whose owner the guard takes the caller',
    async (name) => {
      expect(await leaksOf(name, { as: 'the neighbour' })).toEqual([]);
      expect(await neighbour.digest()).toEqual(before);
    },
  );

  it('tells no neighbour from a workspace that does not exist, not even by a number', async () => {
    expect(await differingRoutes()).toEqual([]);
  });

  it('is what holds in these tests: without it they find what each route shows', async () => {
    await switchRowSecurity('disable', tables);
    const differing = await differingRoutes();
    await switchRowSecurity('enable', tables);
    before = await neighbour.digest();
    expect(reading.filter((name) => !differing.includes(name))).toEqual(showNothing);
  });

  it('is missed on a single table', async () => {
    await switchRowSecurity('disable', ['contacts']);
    const differing = await differingRoutes();
    await switchRowSecurity('enable', ['contacts']);
    before = await neighbour.digest();
    expect(differing).toContain('getContact');
    expect(differing).not.toContain('getReminder');
  });

  describe('and without a word about the workspace in its statements', () => {
    let forgotten: () => number;
    beforeAll(() => {
      forgotten = forgetWorkspaces(cuebird.database.appPool);
    });

    const drawn = sample.draw(ofWorkspaces, { name: 'routes without a workspace', count: ofWorkspaces.length / 3 });
    it.each(drawn)('%s reaches nothing either', async (name) => {
      expect(await leaksOf(name, { as: 'nobody in particular' })).toEqual([]);
      expect(await neighbour.digest()).toEqual(before);
    });

    it('has left out what the statements say, and is what holds', async () => {
      expect(forgotten()).toBeGreaterThan(drawn.length);
      await switchRowSecurity('disable', tables);
      const leaking: RouteName[] = [];
      for (const name of reading)
        if ((await leaksOf(name, { as: 'nobody in particular' })).length > 0) leaking.push(name);
      await switchRowSecurity('enable', tables);
      expect(leaking.length, leaking.join(' ')).toBeGreaterThan(reading.length / 2);
    });
  });
});
