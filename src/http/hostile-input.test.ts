import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteName } from '#contract/routes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { hostileRequests, type HostileRequest } from '#testing/hostile-requests.ts';
import { connectOwner } from '#testing/owner.ts';
import { routeNames, sampleRequest } from '#testing/sample-requests.ts';
import { insertThings, type Things } from '#testing/sample-rows.ts';

const seed = 20_261_122;
const inputs = 1_000;

/** The most bytes of an answer: refusals and lists are bounded. */
const budget = { refusal: 64_000, success: 5_000_000 };

describe('a thousand hostile requests', () => {
  let cuebird: TestCuebird;
  let owner: TestPerson;
  let stranger: TestPerson;
  let workspace: string;
  let things: Things;
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });

  beforeAll(async () => {
    cuebird = await startTestCuebird({ env: { DEMO: 'on' } });
    owner = await cuebird.signUp('Owner');
    stranger = await cuebird.signUp('Stranger');
    workspace = await owner.createWorkspace('Elm Street');
    await stranger.createWorkspace('Next door');
    const database = await connectOwner(cuebird.databaseUrl);
    things = await insertThings(database, { workspace, userId: owner.userId });
    await database.query('update profiles set is_system_admin = true where id = $1', [owner.userId]);
    await database.end();
  });
  afterAll(async () => {
    agent.destroy();
    await cuebird.stop();
  });

  it.each(routeNames)(
    '%s: no failure of the server, no answer over its budget',
    async (name) => {
      const requests = requestsTo(name);
      const wrong: string[] = [];
      const work = requests.values();
      const sendAll = async () => {
        for (const request of work) {
          const { status, bytes } = await send(request);
          if (status >= 500 || bytes > (status >= 400 ? budget.refusal : budget.success))
            wrong.push(`${status}, ${bytes} bytes: ${JSON.stringify(request).slice(0, 2_000)}`);
        }
      };
      await Promise.all(Array.from({ length: 8 }, sendAll));
      expect(wrong.slice(0, 5)).toEqual([]);
      expect((await fetch(`${cuebird.url}/api/health`)).status).toBe(200);
    },
    120_000,
  );

  function requestsTo(name: RouteName): HostileRequest[] {
    const sample = sampleRequest(name, things, { adminSetup: 'x', demo: 'x', accountMail: 'x' });
    const at = routeNames.indexOf(name);
    return hostileRequests(sample, { count: inputs, seed: seed + at, headers: { 'x-workspace-id': workspace } });
  }

  /** The size of the answer in bytes; of a stream, of its first part. */
  function send({ as, method, path, headers, body }: HostileRequest): Promise<{ status: number; bytes: number }> {
    const { hostname, port } = new URL(cuebird.url);
    const cookie: Record<string, string> = as === 'nobody' ? {} : { cookie: { owner, stranger }[as].cookie };
    // Set for every method: without it, the client would send the body of a GET as if it were the next request.
    const length: Record<string, string> = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    return new Promise((resolve, reject) => {
      const request = httpRequest({
        agent,
        hostname,
        port,
        method,
        path,
        headers: { ...cookie, ...headers, ...length },
      });
      request.on('response', (response) => {
        const status = response.statusCode ?? 0;
        let bytes = 0;
        response.on('data', (chunk: Buffer) => (bytes += chunk.length));
        response.on('end', () => resolve({ status, bytes }));
        if (response.headers['content-type']?.startsWith('text/event-stream') === true) {
          resolve({ status, bytes });
          request.destroy();
        }
      });
      request.on('error', (error) => reject(new Error(`${method} ${path.slice(0, 200)}: ${error.message}`)));
      request.end(body ?? undefined);
    });
  }
});
