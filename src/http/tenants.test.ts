import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RouteName, routes } from '#contract/routes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { type Neighbour, settleNeighbour } from '#testing/neighbour.ts';
import { audienceOf } from '#testing/route-access.ts';
import { routeNames } from '#testing/sample-requests.ts';
import { insertInvitation, insertMember, insertThings, type Things } from '#testing/sample-rows.ts';
import { sample } from '#testing/sample.ts';
import { sendSample, thingsUsedBy } from '#testing/send-sample.ts';

/**
 * Routes that answer with a success though an id of the neighbour was sent. They answer as they do for an id that nobody has. Every other
 * route refuses.
 */
const findNothing: readonly RouteName[] = [
  // Filters, and lists of ids: what is not there is not found.
  'restoreReminders',
  'actOnReminders',
  'listTemplates',
  'listContacts',
  'countContacts',
  'deleteContacts',
  'tagContacts',
  'countPeople',
  'listJobs',
  'listJobExecutions',
  // The header names the own workspace, and counts more than the address.
  'openStream',
  'exportContacts',
  'exportConsents',
  'exportJobs',
  'exportLedger',
  'exportJobExecutions',
  'exportActs',
  'exportDeliveryAnalytics',
  'getTemplateHtml',
  'getInboxHtml',
];

/**
 * An owner, who may do everything in the own workspace, tries every route with the ids of another one: all at once, each field of path,
 * query and body in turn, and with the name of the other workspace. Public routes are left out: their token is the access.
 */
describe('with ids of another workspace', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let workspace: string;
  let owner: TestPerson;
  let key: string;
  let neighbour: Neighbour;
  let before: Record<string, string>;

  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    owner = await cuebird.signUp('Owner');
    workspace = await owner.createWorkspace('Here');
    const other = await cuebird.signUp('Neighbour');
    const nextDoor = await other.createWorkspace('Next door');
    await database.query("update workspaces set subscription_tier = 'enterprise'");
    const made = await owner.call('POST', '/api/api-keys', {
      workspace,
      body: { name: 'CRM', scopes: ['send', 'read', 'manage'] },
    });
    key = made.json.key;
    await other.call('POST', '/api/api-keys', {
      workspace: nextDoor,
      body: { name: 'CRM', scopes: ['send', 'read', 'manage'] },
    });
    neighbour = await settleNeighbour(database, { workspace: nextDoor, userId: other.userId });
    before = await neighbour.digest();
  });
  afterAll(() => cuebird.stop());

  async function newThings(): Promise<Things> {
    for (const table of ['contact_groups', 'workspace_invitations', 'webhooks'])
      await database.query(`delete from ${table} where workspace_id = $1`, [workspace]);
    const things = await insertThings(database, { workspace, userId: owner.userId });
    await insertMember(database, things);
    await insertInvitation(database, things, { email: `${things.invitation}@example.com` });
    return things;
  }

  type Try = { what: string; things: Things; headers: Record<string, string> };

  /** With their ids only, which no condition on the workspace lets pass; of the others, all or a sample. */
  function triesOf(name: RouteName): (() => Promise<Try>)[] {
    const theirs = neighbour.things;
    const used = thingsUsedBy(name, theirs);
    const here = { cookie: owner.cookie, 'x-workspace-id': workspace };
    const there = { cookie: owner.cookie, 'x-workspace-id': theirs.workspace };
    const others: (() => Promise<Try>)[] = [];
    if (audienceOf(name) !== 'user' && audienceOf(name) !== 'system_admin')
      others.push(
        async () => ({ what: 'with their ids, in their name', things: theirs, headers: there }),
        async () => ({ what: 'with own ids, in their name', things: await newThings(), headers: there }),
        async () => ({
          what: 'with a key of the own workspace',
          things: theirs,
          headers: { authorization: `Bearer ${key}` },
        }),
      );
    if (used.includes('workspace'))
      others.push(async () => ({ what: 'without a header', things: theirs, headers: { cookie: owner.cookie } }));
    if (used.length > 1)
      for (const field of used)
        others.push(async () => ({
          what: `with their ${field}`,
          things: { ...(await newThings()), [field]: theirs[field] },
          headers: here,
        }));
    // Of what succeeds, one must be seen.
    const count = findNothing.includes(name) ? others.length : Math.ceil(others.length / 3);
    const first = async () => ({ what: 'with their ids only', things: theirs, headers: here });
    return [first, ...sample.draw(others, { name: `tries of ${name}`, count })];
  }

  const withoutIds = (text: string) => text.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'an id');

  const isSuccess = (status: number) => status < 400;

  const notPublic = routeNames.filter((name) => audienceOf(name) !== 'public');
  it.each(sample.draw(notPublic, { name: 'routes', count: notPublic.length / 2 }))('%s', async (name) => {
    const succeeded: string[] = [];
    const isWithoutIds = thingsUsedBy(name, neighbour.things).length === 0;
    for (const attempt of triesOf(name)) {
      const { what, things, headers } = await attempt();
      const namesThem = !isWithoutIds || headers['x-workspace-id'] === neighbour.things.workspace;
      // What changes nothing but the caller's own account says nothing about others.
      if (!namesThem && audienceOf(name) === 'user' && routes[name].method !== 'get') continue;
      const { status, text, request } = await sendSample(cuebird.url, { name, things, headers });
      expect(neighbour.leaksIn(text, request), `${name} ${what}: ${status} ${text.slice(0, 300)}`).toEqual([]);
      expect(status, `${name} ${what}: ${text.slice(0, 300)}`).not.toBe(500);
      if (!namesThem || !isSuccess(status)) continue;
      succeeded.push(what);
      const unknown = { ...things };
      for (const field of thingsUsedBy(name, things))
        if (things[field] === neighbour.things[field]) unknown[field] = randomUUID();
      const answer = await sendSample(cuebird.url, { name, things: unknown, headers });
      expect(withoutIds(text), 'as for an id that nobody has').toBe(withoutIds(answer.text));
    }
    if (findNothing.includes(name)) expect(succeeded, 'it refuses by now: take it off the list').not.toEqual([]);
    else expect(succeeded).toEqual([]);
    expect(await neighbour.digest()).toEqual(before);
  });
});
