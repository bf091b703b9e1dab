import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteName } from '#contract/routes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { hostileRequests, type HostileRequest } from '#testing/hostile-requests.ts';
import { type Connections, openConnections, type PlainAnswer } from '#testing/http-connection.ts';
import { routeNames, sampleRequest } from '#testing/sample-requests.ts';
import { insertThings, type Things } from '#testing/sample-rows.ts';

const seed = 20_261_122;
const inputs = 1_000;

/** The most bytes of an answer: refusals and lists are bounded. */
const budget = { refusal: 64_000, success: 5_000_000 };

const isWrong = ({ status, bytes }: PlainAnswer) =>
  status >= 500 || bytes > (status >= 400 ? budget.refusal : budget.success);

/** Sends hostile requests to each of these routes of one server, in this order; then reads what they have stored. */
export function describeHostileInput(names: readonly RouteName[]): void {
  describe('a thousand hostile requests', () => {
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

    it.each(names)(
      '%s: no failure of the server, no answer over its budget',
      async (name) => {
        const wrong: string[] = [];
        const work = requestsTo(name).values();
        const sendAll = async () => {
          for (const request of work) {
            const answer = await send(request);
            if (isWrong(answer)) wrong.push(`${JSON.stringify(answer)}: ${JSON.stringify(request).slice(0, 2_000)}`);
          }
        };
        await Promise.all(Array.from({ length: 8 }, sendAll));
        expect(wrong.slice(0, 5)).toEqual([]);
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
      hostileRequests(sampleOf(name), {
        count: inputs,
        seed: seed + routeNames.indexOf(name),
        headers: { 'x-workspace-id': workspace },
      });

    function send({ as, headers, ...request }: HostileRequest): Promise<PlainAnswer> {
      const cookie: Record<string, string> = as === 'nobody' ? {} : { cookie: { owner, stranger }[as].cookie };
      return connections.send({ ...request, headers: { ...cookie, ...headers } });
    }
  });
}
