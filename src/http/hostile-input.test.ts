import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RouteName, routes } from '#contract/routes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { hostileRequests, type HostileRequest } from '#testing/hostile-requests.ts';
import { type Connections, openConnections, type PlainAnswer } from '#testing/http-connection.ts';
import { createParsingApp, type Parsed } from '#testing/parsing-app.ts';
import { routeNames, sampleRequest } from '#testing/sample-requests.ts';
import { insertThings, type Things } from '#testing/sample-rows.ts';
import { sample } from '#testing/sample.ts';

const firstSeed = 20_261_127;
/** A tenth of the inputs of each route. */
const inputsOfPart = 100;

const isReading = (name: RouteName) => routes[name].method === 'get';
const isDeletion = (name: RouteName) => routes[name].method === 'delete';
/** What is written and deleted is of no more use to the others. */
const inOrder = [
  ...routeNames.filter(isReading),
  ...routeNames.filter((name) => !isReading(name) && !isDeletion(name)),
  ...routeNames.filter(isDeletion),
];

/** The most bytes of an answer: refusals and lists are bounded. */
const budget = { refusal: 64_000, success: 5_000_000 };

const isWrong = ({ status, bytes }: PlainAnswer) =>
  status >= 500 || bytes > (status >= 400 ? budget.refusal : budget.success);

/**
 * Makes hostile requests of each route and gives all of them to the HTTP app in this process: its routing, parsing and refusals, up to the
 * handlers. A refusal is within its budget and, if the request is invalid, names what is wrong. Over HTTP, to the whole product with its
 * database, goes every request whose parsed input reaches a handler, once, and a few of each kind of the others (`selection`): their
 * answers are within their budgets too, and none is a failure of the server. In the end, what they have stored is read.
 */
describe('hostile requests', () => {
  const parse = createParsingApp();
  let cuebird: TestCuebird;
  let owner: TestPerson;
  let stranger: TestPerson;
  let workspace: string;
  let things: Things;
  let connections: Connections;

  beforeAll(async () => {
    cuebird = await startTestCuebird({ env: { DEMO: 'on' } });
    connections = openConnections(cuebird.url);
    owner = await cuebird.signUp('Owner');
    stranger = await cuebird.signUp('Stranger');
    workspace = await owner.createWorkspace('Elm Street');
    await stranger.createWorkspace('Next door');
    const database = cuebird.owner;
    things = await insertThings(database, { workspace, userId: owner.userId });
    await database.query('update profiles set is_system_admin = true where id = $1', [owner.userId]);
  });
  afterAll(async () => {
    connections.close();
    await cuebird.stop();
  });

  it.each(sample.draw(inOrder, { name: 'routes of hostile requests', count: inOrder.length / 2 }))(
    '%s: no failure of the server, no answer over its budget',
    async (name) => {
      const wrong: string[] = [];
      const assertGood = (isGood: boolean, answer: Parsed | PlainAnswer, request: HostileRequest) => {
        if (!isGood) wrong.push(`${JSON.stringify(answer)}: ${JSON.stringify(request).slice(0, 2_000)}`);
      };
      const isSelected = selection();
      const selected: HostileRequest[] = [];
      for (const request of requestsTo(name)) {
        const parsed = await parse(request);
        assertGood(isGoodParse(parsed), parsed, request);
        if (isSelected(request, parsed)) selected.push(request);
      }
      const work = selected.values();
      const sendAll = async () => {
        for (const request of work) {
          const answer = await send(request);
          assertGood(!isWrong(answer), answer, request);
        }
      };
      await Promise.all(Array.from({ length: 8 }, sendAll));
      expect(wrong.slice(0, 5)).toEqual([]);
      expect(selected.length).toBeGreaterThan(sample.takesAll ? 20 : 5);
      expect((await fetch(`${cuebird.url}/api/health`)).status).toBe(200);
    },
    120_000,
  );

  it('leave nothing behind that cannot be read', async () => {
    const wrong: string[] = [];
    for (const name of routeNames) {
      const { method, path } = sampleOf(name);
      if (method !== 'GET') continue;
      const answer = await send({ as: 'owner', method, path, headers: { 'x-workspace-id': workspace }, body: null });
      if (isWrong(answer)) wrong.push(`${name}: ${JSON.stringify(answer)}`);
    }
    expect(wrong).toEqual([]);
  });

  const sampleOf = (name: RouteName) => sampleRequest(name, things, { adminSetup: 'x', demo: 'x', accountMail: 'x' });

  const requestsTo = (name: RouteName) =>
    sample
      .partSeeds(`hostile requests to ${name}`, firstSeed + routeNames.indexOf(name) * 10)
      .flatMap((seed) =>
        hostileRequests(sampleOf(name), { count: inputsOfPart, seed, headers: { 'x-workspace-id': workspace } }),
      );

  function send({ as, headers, ...request }: Omit<HostileRequest, 'changedHeader'>): Promise<PlainAnswer> {
    const cookie: Record<string, string> = as === 'nobody' ? {} : { cookie: { owner, stranger }[as].cookie };
    return connections.send({ ...request, headers: { ...cookie, ...headers } });
  }
});

const isGoodParse = (parsed: Parsed): boolean => {
  switch (parsed.outcome) {
    case 'accepted':
      return true;
    case 'refused':
      return !isWrong(parsed) && (parsed.status !== 400 || parsed.firstField !== null);
    case 'elsewhere':
      return parsed.status < 500;
    default:
      return parsed satisfies never;
  }
};

/**
 * Which requests to one route go over HTTP: every input that reaches its handler, in the owner's name; and the first few with each hostile
 * header, of each other person, and with each field that is refused. The seed has shuffled them.
 */
function selection(): (request: HostileRequest, parsed: Parsed) => boolean {
  const counts = new Map<string, number>();
  const isAmongFirst = (most: number, ...kind: unknown[]) => {
    const key = JSON.stringify(kind);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= most;
  };
  return ({ as, changedHeader }, parsed) => {
    if (parsed.outcome !== 'accepted') {
      const { status } = parsed;
      const field = parsed.outcome === 'refused' ? parsed.firstField : null;
      return isAmongFirst(2, as, changedHeader, status, field) && isAmongFirst(30, 'refused');
    }
    if (as !== 'owner') return isAmongFirst(5, as) || isAmongFirst(1, as, changedHeader);
    return isAmongFirst(1, parsed.input) || isAmongFirst(1, changedHeader);
  };
}
