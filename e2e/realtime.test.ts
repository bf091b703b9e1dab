import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signUp, type TestPerson } from '#testing/cuebird.ts';
import { createTestDatabase } from '#testing/database.ts';
import { createInstallation, type CuebirdProcess, type TestInstallation } from '#testing/process.ts';
import { type Sink, startSink } from '#testing/sink.ts';
import { sharedBrowser } from './pages.ts';
import { cookiesOf } from './screens.fixture.ts';

describe('two web servers and a worker on one PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let installation: TestInstallation;
  let browser: Browser;
  let sink: Sink;
  let one: string;
  let other: string;
  let dies: CuebirdProcess;
  let ann: TestPerson;
  let workspace: string;
  let reminder: string;

  const start = (role: 'web' | 'worker', env: Record<string, string> = {}) =>
    installation.start({
      args: ['--role', role],
      env: { DATABASE_URL: database.url, SANDBOX: 'off', EMAIL_VERIFICATION: 'off', ...env },
    });

  beforeAll(async () => {
    [database, installation, browser, sink] = await Promise.all([
      createTestDatabase(),
      createInstallation(),
      sharedBrowser(),
      startSink(),
    ]);
    // Who comes first makes the tables.
    dies = start('web');
    one = (await dies.ready).url;
    other = (await start('web').ready).url;
    await start('worker').ready;
  });
  afterAll(async () => {
    await installation.remove();
    await sink.close();
    await database.drop();
  });

  beforeEach(async ({ task }) => {
    ann = await signUp(one, { name: 'Ann', email: `ann.${task.id}@example.com` });
    workspace = await ann.createWorkspace('Elm Street');
    const channel = { name: 'Hook', type: 'webhook', configuration: { url: sink.urlFor('rent') } };
    expect((await ann.call('POST', '/api/channels', { workspace, body: channel })).status).toBe(201);
    const { json } = await ann.call('POST', '/api/reminders', {
      workspace,
      body: {
        name: 'Rent',
        status: 'active',
        schedule_config: {
          type: 'scheduled',
          scheduleType: 'once',
          startDate: '2098-01-01T09:00:00',
          timezone: 'UTC',
        },
        content: { subject: 'Rent', message: 'Due', recipients: [sink.urlFor('rent')] },
        metadata: { channels: ['webhook'] },
      },
    });
    reminder = json.id;
  });

  /** The list of jobs at one of the servers, once it hears of changes. */
  async function openJobs(url: string): Promise<Page> {
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(60_000);
    await context.addCookies(cookiesOf(ann, url));
    const page = await context.newPage();
    const listens = page.waitForResponse((response) => response.url().includes('/api/stream'));
    await page.goto('/jobs?tests=with');
    await page.getByRole('link', { name: 'Rent' }).waitFor();
    await listens;
    return page;
  }

  const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

  it('show on the screen of each what was done at the other', async () => {
    const [here, there] = await Promise.all([openJobs(one), openJobs(other)]);
    await there.getByRole('button', { name: 'Pause Rent' }).click();
    await row(here, 'Paused').waitFor();
    await here.getByRole('button', { name: 'Resume Rent' }).click();
    await row(there, 'Pending').waitFor();
    await Promise.all([here.context().close(), there.context().close()]);
  });

  it('show on both what the worker has done', async () => {
    const [here, there] = await Promise.all([openJobs(one), openJobs(other)]);
    const body = { recipients: [sink.urlFor('test')], subject: 'Rent', message: 'Due' };
    expect((await ann.call('POST', `/api/reminders/${reminder}/test`, { workspace, body })).status).toBe(201);
    for (const page of [here, there]) {
      await row(page, 'Test: Rent').filter({ hasText: 'Completed' }).waitFor();
      await page.context().close();
    }
  });

  it('lose nothing of what happens while the stream is cut: it is there when the server is back', async () => {
    const page = await openJobs(one);
    dies.signal('SIGKILL');
    await dies.ended;
    const jobs = await fetch(`${other}/api/jobs?reminder_id=${reminder}`, {
      headers: { cookie: ann.cookie, 'x-workspace-id': workspace },
    });
    const [job] = (await jobs.json()).data;
    const paused = await fetch(`${other}/api/jobs/${job.id}/pause`, {
      method: 'POST',
      headers: { cookie: ann.cookie, 'x-workspace-id': workspace, origin: other },
    });
    expect(paused.status).toBe(200);
    await expect.poll(() => row(page, 'Pending').count(), { message: 'nobody has told it yet' }).toBe(1);

    dies = start('web', { PORT: new URL(one).port });
    await dies.ready;
    await row(page, 'Paused').waitFor();
    // And goes on hearing.
    const resumed = await ann.call('POST', `/api/jobs/${job.id}/resume`, { workspace });
    expect(resumed.status).toBe(200);
    await row(page, 'Pending').waitFor();
    await page.context().close();
  });
});
