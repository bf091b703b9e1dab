import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultSettings } from '#contract/admin-settings.ts';
import { signUp, type TestPerson } from '#testing/cuebird.ts';
import { createTestDatabase } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { createInstallation, type CuebirdProcess, type TestInstallation } from '#testing/process.ts';

/** Two web servers and a worker, each a process with a data folder of its own, on one database. */
describe('the settings of the installation hold in every process', { timeout: 300_000 }, () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let owner: Client;
  const installations: TestInstallation[] = [];
  let first: Running;
  let second: Running;
  let worker: Running;
  let ann: TestPerson;
  let dana: TestPerson;
  /** An administrator without a second factor. */
  let carl: TestPerson;
  /** Her session is not used. */
  let erin: TestPerson;
  let workspace: string;
  let apiKey: string;

  type Running = { installation: TestInstallation; process: CuebirdProcess; url: string };

  async function start(role: 'web' | 'worker', installation?: TestInstallation): Promise<Running> {
    const used = installation ?? (await createInstallation());
    if (installation === undefined) installations.push(used);
    const process = used.start({ args: ['--role', role], env: { DATABASE_URL: database.url } });
    return { installation: used, process, url: (await process.ready).url };
  }
  async function restart({ installation, process }: Running, role: 'web' | 'worker'): Promise<Running> {
    process.signal('SIGTERM');
    expect((await process.ended).code).toBe(0);
    return start(role, installation);
  }

  beforeAll(async () => {
    database = await createTestDatabase();
    owner = await connectOwner(database.url);
    [first, second, worker] = await Promise.all([start('web'), start('web'), start('worker')]);
    ann = await signUp(first.url, { name: 'Ann', email: 'ann@example.com' });
    dana = await signUp(first.url, { name: 'Dana', email: 'dana@example.com' });
    carl = await signUp(first.url, { name: 'Carl', email: 'carl@example.com' });
    erin = await signUp(first.url, { name: 'Erin', email: 'erin@example.com' });
    await owner.query('update profiles set is_system_admin = true where id = any ($1)', [[ann.userId, carl.userId]]);
    workspace = await dana.createWorkspace('Elm Street');
    apiKey = (
      await dana.call('POST', '/api/api-keys', { workspace, body: { name: 'CRM', scopes: ['send', 'read', 'manage'] } })
    ).json.key;
  });
  afterAll(async () => {
    await Promise.all(installations.map((installation) => installation.remove()));
    await owner.end();
    await database.drop();
  });

  /** In the first process. */
  async function change(settings: object): Promise<void> {
    const { status, json } = await ann.call('PATCH', '/api/admin/settings', { body: settings });
    expect(status, JSON.stringify(json)).toBe(200);
  }

  async function ask({ url }: Running, path: string, headers: Record<string, string>) {
    const response = await fetch(`${url}${path}`, { headers });
    const json: any = await response.json();
    return { status: response.status, code: json.error?.code, headers: response.headers, json };
  }
  const workspacesOf = (person: TestPerson, process: Running) =>
    ask(process, '/api/workspaces', { cookie: person.cookie });

  /** What people and programs meet in one process. */
  async function met(process: Running) {
    const program = await ask(process, '/api/reminders', { authorization: `Bearer ${apiKey}` });
    const console = await ask(process, '/api/admin/settings', { cookie: carl.cookie });
    const list = await ask(process, '/api/admin/backups', { cookie: ann.cookie });
    return {
      requestsPerHour: program.headers.get('ratelimit-limit'),
      sessionUnusedFor40Days: (await workspacesOf(erin, process)).status,
      consoleWithoutSecondFactor: console.code ?? console.status,
      schedulesBackups: list.json.next_at !== null,
    };
  }
  const unprotected = {
    requestsPerHour: null,
    sessionUnusedFor40Days: 200,
    consoleWithoutSecondFactor: 200,
    schedulesBackups: false,
  };
  const byDefault = {
    requestsPerHour: '1000',
    sessionUnusedFor40Days: 401,
    consoleWithoutSecondFactor: 'two_factor_setup_required',
    schedulesBackups: true,
  };
  const isClosed = async (process: Running) => (await workspacesOf(dana, process)).code === 'maintenance';

  async function everywhere(check: (process: Running) => Promise<unknown>, expected: unknown): Promise<void> {
    for (const process of [first, second]) await expect.poll(() => check(process)).toEqual(expected);
  }

  const backUpOverdue = () =>
    owner.query(
      `insert into app_settings (key, value) values ('engine.backups', jsonb_build_object(
         'since', to_char(now() at time zone 'UTC' - interval '3 days', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'succeeded_at', null, 'failure', null))
       on conflict (key) do update set value = excluded.value`,
    );
  const askedForSecondFactor = () =>
    owner.query("update profiles set second_factor_asked_at = now() - interval '8 days' where id = $1", [carl.userId]);
  const notUsedSince = () =>
    owner.query(
      "update auth_sessions set created_at = now() - interval '60 days', updated_at = now() - interval '40 days' where user_id = $1",
      [erin.userId],
    );
  const backups = async () => {
    const madeBy = async ({ installation }: Running) =>
      (await readdir(join(installation.dataDir, 'backups')).catch(() => [])).filter((name) => name.endsWith('.backup'));
    const [byFirst = [], bySecond = [], byWorker = []] = await Promise.all([first, second, worker].map(madeBy));
    return { byWebServers: byFirst.length + bySecond.length, byWorker: byWorker.length };
  };

  async function deliver(): Promise<void> {
    const name = crypto.randomUUID();
    const { status, json } = await dana.call('POST', '/api/reminders', {
      workspace,
      body: {
        name,
        status: 'active',
        schedule_config: {
          type: 'scheduled',
          scheduleType: 'once',
          startDate: new Date().toISOString().slice(0, 19),
          timezone: 'UTC',
        },
        content: { subject: 'Rent is due', message: 'Today', recipients: ['erin@example.com'] },
        metadata: { channels: ['email'] },
      },
    });
    expect(status, JSON.stringify(json)).toBe(201);
    await expect
      .poll(async () => (await owner.query('select status from jobs where name = $1', [name])).rows)
      .toEqual([{ status: 'completed' }]);
  }
  /** How many lines the second web server has written about requests, and the thread of the worker that delivers about claims. */
  const debugLines = () => [
    second.process.output().match(/"level":20.*a request was answered/g)?.length ?? 0,
    worker.process.output().match(/"level":20.*jobs were claimed/g)?.length ?? 0,
  ];
  const some = [expect.toSatisfy((lines) => lines > 0), expect.toSatisfy((lines) => lines > 0)];
  async function debugLinesOfUse() {
    await Promise.all([workspacesOf(dana, second), deliver()]);
    return debugLines();
  }

  it('turned, at once in the others', async () => {
    expect(await debugLinesOfUse()).toEqual([0, 0]);
    await change({
      debugLogging: true,
      autoBackups: false,
      twoFactorAuth: false,
      apiRateLimit: false,
      sessionTimeout: false,
    });
    await askedForSecondFactor();
    await notUsedSince();
    await backUpOverdue();
    await everywhere(met, unprotected);
    await expect.poll(debugLinesOfUse).toEqual(some);
  });

  it('in maintenance, from the start on too', async () => {
    await change({ maintenanceMode: true });
    await everywhere(isClosed, true);
    [second, worker] = await Promise.all([restart(second, 'web'), restart(worker, 'worker')]);
    expect(await isClosed(second)).toBe(true);
    expect((await workspacesOf(ann, second)).status, 'administrators go on').toBe(200);
    await change({ maintenanceMode: false });
    await everywhere(isClosed, false);
  });

  it('turned, after a restart', async () => {
    await notUsedSince();
    expect(await met(second)).toEqual(unprotected);
    expect(await debugLinesOfUse()).toEqual(some);
    expect(await backups(), 'a night is due, and no backup is made').toEqual({ byWebServers: 0, byWorker: 0 });
  });

  it('turned back, at once in the others', async () => {
    await notUsedSince();
    await change(defaultSettings);
    // The week of administrators has begun anew.
    expect((await met(second)).consoleWithoutSecondFactor).toBe(200);
    await askedForSecondFactor();
    await everywhere(met, byDefault);
    await expect
      .poll(backups, { message: 'the night is made up for by one process' })
      .toEqual({ byWebServers: 1, byWorker: 0 });
  });

  it('as a limit of its own', async () => {
    await change({ apiRequestsPerHour: 70 });
    await everywhere(async (process) => (await met(process)).requestsPerHour, '70');
  });

  it('a worker makes the backup where no web server runs', async () => {
    for (const { process } of [first, second]) {
      process.signal('SIGTERM');
      expect((await process.ended).code).toBe(0);
    }
    await backUpOverdue();
    worker = await restart(worker, 'worker');
    await expect.poll(backups).toEqual({ byWebServers: 1, byWorker: 1 });
  });
});
