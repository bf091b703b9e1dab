import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed, type TestContext } from 'vitest';
import { type CuebirdProcess, createInstallation, type Printed, type TestInstallation } from '#testing/process.ts';
import { isRunning } from '#platform/process-status.ts';
import { expectAccessible } from './accessible.ts';
import { sharedBrowser } from './pages.ts';
import { createFirstWorkspace, openPerson, type Person, saveEvidence, signUp } from './person.ts';

let demo: TestInstallation;
let cuebird: CuebirdProcess;

// Its first reminder is due within a minute. The starts that cannot be come first, and take up that time.
beforeAll(async () => {
  demo = await createInstallation();
  cuebird = demo.start({ env: { DEMO: 'on' } });
});

afterAll(() => demo.remove());

describe.concurrent('a start that cannot be', () => {
  it('says in one line that the data folder is in use, and leaves the one who uses it alone', async ({
    expect,
    onTestFinished,
  }) => {
    const installation = await createOwn(onTestFinished);
    const first = installation.start();
    const { url } = await first.ready;
    const second = await installation.start().ended;
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toBe(
      `Cuebird is already running on ${installation.dataDir} (process ${first.pid}). Stop it first or set another DATA_DIR.\n`,
    );
    expect(await fetch(`${url}/api/ready`).then(({ status }) => status)).toBe(200);
    await expectCleanEnd('SIGTERM', { cuebird: first, installation });
  });

  it('says in one line that the port is taken, and leaves no PostgreSQL behind', async ({ expect, onTestFinished }) => {
    const installation = await createOwn(onTestFinished);
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const refused = await installation.start({ env: { PORT: String(port) } }).ended;
    other.close();
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toBe(`Port ${port} is taken by another program. Set PORT to a free one.\n`);
    expect(installation.postgres()).toEqual([]);
  });

  it('names each value that is wrong, one line each, and shows no secret', async ({ expect, onTestFinished }) => {
    const installation = await createOwn(onTestFinished);
    const wrong = {
      PORT: 'eighty',
      SMTP_URL: 'http://ann:hunter2@mail.example.com',
      EGRESS_ALLOW: 'everywhere',
      DEMO: 'maybe',
      LOG_LEVEL: 'loud',
      ENCRYPTION_KEY: 'too short',
    };
    const { code, stdout, stderr } = await installation.start({
      env: { ...wrong, MAIL_FROM: 'Cuebird <cuebird@example.com>' },
    }).ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(Object.keys(wrong).length);
    expect(new Set(lines.map((line) => /^[A-Z_]+/.exec(line)?.[0]))).toEqual(new Set(Object.keys(wrong)));
    expect(stderr).not.toMatch(/hunter2|too short|\bat .*\.ts/);
    expect(installation.postgres()).toEqual([]);
  });

  it('stops cleanly when it is told to while it is still starting', async ({ expect, onTestFinished }) => {
    const installation = await createOwn(onTestFinished);
    const early = installation.start({ env: { LOG_LEVEL: 'debug' } });
    await early.line(/ready to accept connections/);
    const postgres = installation.postgres();
    early.signal('SIGINT');
    expect(await early.ended).toMatchObject({ code: 0 });
    expect(await stillRunning(postgres)).toEqual([]);
  });
});

describe('the first start', () => {
  let printed: Printed;
  let browser: Browser;
  let dana: Person;
  let ann: Person;

  beforeAll(async () => {
    [printed, browser] = await Promise.all([cuebird.ready, sharedBrowser()]);
    dana = await openPerson(browser, { name: 'Dana', url: printed.url });
    ann = await openPerson(browser, { name: 'Ann', url: printed.url });
  });

  beforeEach(() => {
    onTestFailed(async () => console.error(`Evidence: ${await saveEvidence([dana, ann], cuebird.output())}`));
  });

  afterAll(async () => {
    await Promise.all([dana.leave(), ann.leave()]);
  });

  it('prints where it is, and a link for the demo, the inbox, account mail and the administrator', () => {
    const { url } = printed;
    expect(url).toMatch(/^http:\/\/localhost:\d+$/);
    expect(printed).toEqual({
      url,
      demo: expect.stringMatching(`^${url}/api/demo/enter\\?token=[\\w-]{20,}$`),
      inbox: `${url}/inbox`,
      accountMail: expect.stringMatching(`^${url}/inbox\\?token=[\\w-]{20,}$`),
      adminSetup: expect.stringMatching(`^${url}/setup\\?token=[\\w-]{20,}$`),
    });
  });

  it('has its first reminder delivered within a minute, and says so at the terminal', async () => {
    const line = await cuebird.line(/Delivered/);
    expect(line).toMatch(
      /^\d\d:\d\d:\d\d {2}Delivered “Inspection today: 12 Elm Street” by (email|webhook) to .*: accepted /,
    );
    expect(line).toContain(`Read it at ${printed.url}/inbox`);
  }, 65_000);

  it('opens the demo, signed in, with its link and one click', async () => {
    const { page } = dana;
    await page.goto(printed.demo);
    await expectAccessible(page);
    expect((await page.context().cookies()).filter(({ name }) => name.includes('session'))).toEqual([]);
    await page.getByRole('button', { name: 'Enter the demo' }).click();
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    await page.getByRole('button', { name: 'Workspace: Elm & Harbour Properties' }).waitFor();
    await page.getByRole('link', { name: 'Reminders', exact: true }).first().click();
    await page.getByRole('article', { name: 'Inspection today: 12 Elm Street' }).waitFor();
    await expect.poll(() => page.getByRole('article').count()).toBeGreaterThan(10);
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('link', { name: /Inspection at 12 Elm Street.*maya\.fischer@example\.com/ }).waitFor();
    expect(dana.surprises()).toEqual([]);
  });

  it('does not let the demo account become the administrator', async () => {
    const { page } = dana;
    dana.expects(/ 403 /);
    await page.goto(printed.adminSetup);
    await page.getByRole('button', { name: 'Become administrator' }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('This link was used already');
    expect(dana.surprises()).toEqual([]);
  });

  it('makes whoever signed up and follows the link the administrator, once', async () => {
    const { page } = ann;
    await signUp(ann);
    await createFirstWorkspace(ann, 'Mill Road');
    await page.goto(printed.adminSetup);
    await page.getByRole('button', { name: 'Become administrator' }).click();
    await page.getByRole('heading', { name: 'You are the administrator' }).waitFor();
    await expect.poll(() => page.getByRole('main').getByRole('status').textContent()).toContain(ann.email);
    expect(ann.surprises()).toEqual([]);

    // Neither a password nor an account is asked for first.
    await page.reload();
    await page.getByRole('heading', { name: 'This link cannot be used' }).waitFor();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('This link was used already');
    expect(ann.surprises()).toEqual([]);
  });

  it('ends with code 0 at Ctrl-C although pages are open, and leaves no PostgreSQL behind', async () => {
    for (const person of [dana, ann]) person.expects(/./);
    await expectCleanEnd('SIGINT', { cuebird, installation: demo });
    expect(cuebird.output().match(/Stopping/g)).toHaveLength(1);
  });

  it('is remembered by the next start, which offers the demo again and no link for the administrator', async () => {
    const again = demo.start({ env: { DEMO: 'on' } });
    const links = await again.ready;
    expect(links).toMatchObject({
      adminSetup: '',
      demo: expect.stringMatching(/\/api\/demo\/enter\?token=[\w-]{20,}$/),
    });
    await expectCleanEnd('SIGTERM', { cuebird: again, installation: demo });
  });
});

/** Until its test has ended. */
async function createOwn(onTestFinished: TestContext['onTestFinished']): Promise<TestInstallation> {
  const installation = await createInstallation();
  onTestFinished(() => installation.remove());
  return installation;
}

async function expectCleanEnd(
  signal: 'SIGINT' | 'SIGTERM',
  { cuebird, installation }: { cuebird: CuebirdProcess; installation: TestInstallation },
): Promise<void> {
  const postgres = installation.postgres();
  expect(postgres.length).toBeGreaterThan(0);
  cuebird.signal(signal);
  await cuebird.line(/^Stopping/);
  // npm passes on what the terminal has sent to all already.
  cuebird.signal(signal);
  const { code, stderr } = await cuebird.ended;
  // The second person with a link for the first administrator was refused, which is said in the log.
  const complaints = stderr.split('\n').filter((line) => !line.includes('"msg":"a request was refused"'));
  expect({ code, complaints }).toEqual({ code: 0, complaints: [''] });
  expect(await stillRunning(postgres)).toEqual([]);
  expect(installation.postgres()).toEqual([]);
}

async function stillRunning(pids: readonly number[]): Promise<number[]> {
  const running = await Promise.all(pids.map(isRunning));
  return pids.filter((_, at) => running[at]);
}
