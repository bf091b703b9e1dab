import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { type Cuebird, startCuebird } from '#cuebird.ts';
import type { DispatcherLimits } from '#engine/claiming/dispatcher.ts';
import type { AppDeps } from '#http/app.ts';
import { parseConfig } from '#platform/config.ts';
import { type Deliveries, startDeliveries } from '#wiring/deliveries.ts';
import { assertDocumented } from '#testing/documented.ts';
import { quickPasswords } from '#testing/passwords.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';

export type TestCuebird = Cuebird & {
  /** The owner's address of its database. */
  databaseUrl: string;
  /** Its DATA_DIR, removed by `stop`. */
  dataDir: string;
  /** A connection as the owner, until `stop`. */
  owner: Client;
  /** Ends its deliveries, which write their last figures: otherwise they write them every 15 seconds. */
  stopDeliveries(): Promise<void>;
  signUp(name: string): Promise<TestPerson>;
};

/** Somebody signed in, who talks to the API as a browser would. */
export type TestPerson = {
  userId: string;
  email: string;
  cookie: string;
  /** Sends JSON, in the name of a workspace if one is given. */
  call(
    method: string,
    path: string,
    options?: { workspace?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<ApiAnswer>;
  createWorkspace(name: string): Promise<string>;
};

// Tests look into answers freely; what they find there is what they assert.
type Json = any;

export type ApiAnswer = { status: number; headers: Headers; json: Json };

/** The whole product on a database of its own, with the sandbox on. Webhooks may reach this machine. */
export async function startTestCuebird({
  env = {},
  limits,
  hasLimits = false,
  erases = true,
  admit,
  database: given,
}: {
  env?: Record<string, string>;
  limits?: DispatcherLimits;
  hasLimits?: boolean;
  /** False where the test does the passes of an erasure itself. */
  erases?: boolean;
  /** Another guard of requests. */
  admit?: AppDeps['admit'];
  /** One that is not a test's own. */
  database?: Awaited<ReturnType<typeof createTestDatabase>>;
} = {}): Promise<TestCuebird> {
  const database = given ?? (await createTestDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'cuebird-data-'));
  const config = parseConfig(
    {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      SANDBOX: 'on',
      DEMO: 'off',
      PORT: '0',
      LOG_LEVEL: 'silent',
      EGRESS_ALLOW: '127.0.0.0/8',
      ...env,
    },
    [],
  );
  let deliveries: Deliveries | null = null;
  const cuebird = await startCuebird(config, {
    say: () => {},
    startDeliveries: async (input, options) => (deliveries = await startDeliveries(input, options)),
    limits,
    hasLimits,
    erases,
    admit,
    passwords: quickPasswords,
  });
  const owner = await connectOwner(database.url);
  let people = 0;
  return {
    ...cuebird,
    databaseUrl: database.url,
    dataDir,
    owner,
    async stopDeliveries() {
      await deliveries?.stop();
    },
    async signUp(name) {
      people += 1;
      return signUp(cuebird.url, {
        name,
        email: `${name.toLowerCase().replaceAll(/\W+/g, '.')}.${people}@example.com`,
      });
    },
    async stop() {
      await owner.end();
      await cuebird.stop();
      await database.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Signs somebody up at a server under this address. */
export async function signUp(url: string, { name, email }: { name: string; email: string }): Promise<TestPerson> {
  const response = await fetch(`${url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ name, email, password: 'correct horse battery' }),
  });
  if (!response.ok) throw new Error(`sign-up answered ${response.status}: ${await response.text()}`);
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const { user } = (await response.json()) as { user: { id: string } };
  return personWith(url, { userId: user.id, email, cookie });
}

/** Whoever has this cookie. */
export function personWith(
  url: string,
  { userId, email, cookie }: Pick<TestPerson, 'userId' | 'email' | 'cookie'>,
): TestPerson {
  const person: TestPerson = {
    userId,
    email,
    cookie,
    call: (method, path, options = {}) => call(`${url}${path}`, { method, cookie, ...options }),
    async createWorkspace(workspaceName) {
      const created = await person.call('POST', '/api/workspaces', { body: { name: workspaceName } });
      if (created.status !== 201) throw new Error(`creating a workspace answered ${created.status}`);
      return created.json.id;
    },
  };
  return person;
}

async function call(
  url: string,
  options: { method: string; cookie: string; workspace?: string; body?: unknown; headers?: Record<string, string> },
): Promise<ApiAnswer> {
  const response = await fetch(url, {
    method: options.method,
    redirect: 'manual',
    headers: {
      cookie: options.cookie,
      // Compressing and decompressing takes a fifth of the processor time of a small answer.
      'accept-encoding': 'identity',
      ...(options.workspace === undefined ? {} : { 'x-workspace-id': options.workspace }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    body:
      options.body === undefined
        ? undefined
        : typeof options.body === 'string'
          ? options.body
          : JSON.stringify(options.body),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const answer: ApiAnswer = {
    status: response.status,
    headers: response.headers,
    json: isJson ? JSON.parse(text) : text,
  };
  assertDocumented({ method: options.method, path: new URL(url).pathname }, answer);
  return answer;
}
