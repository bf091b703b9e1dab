import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

/** Somebody at a browser of their own. */
export type Person = {
  name: string;
  email: string;
  page: Page;
  /** Errors on the console, failed requests and refusals since the last look that nothing announced. */
  surprises(): string[];
  /** What fits is no surprise from here on. */
  expects(pattern: RegExp): void;
  leave(): Promise<void>;
};

export const password = 'correct horse battery';

type Options = { name: string; url: string; timezone?: string };

/** Opens a fresh browser window, with an address made of the name. */
export async function openPerson(browser: Browser, { name, url, timezone = 'UTC' }: Options): Promise<Person> {
  const context = await browser.newContext({
    baseURL: url,
    timezoneId: timezone,
    locale: 'en-US',
    viewport: { width: 1280, height: 900 },
    serviceWorkers: 'block',
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  let surprises: string[] = [];
  const expected: RegExp[] = [];
  const notice = (text: string) => {
    if (!expected.some((pattern) => pattern.test(text))) surprises.push(text);
  };
  page.on('pageerror', (error) => notice(`thrown: ${error.message}`));
  page.on('console', (message) => {
    const from = message.location().url;
    if (message.type() === 'error') notice(`console: ${message.text()} (${from})`);
  });
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    // A page that is left gives up what it was asking for, its stream above all.
    if (why !== 'net::ERR_ABORTED') notice(`failed: ${request.method()} ${request.url()} ${why}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) notice(`refused: ${response.status()} ${response.url()}`);
  });
  return {
    name,
    email: `${name.toLowerCase().replaceAll(/\W+/g, '.')}@example.com`,
    page,
    surprises() {
      const seen = surprises;
      surprises = [];
      return seen;
    },
    expects: (pattern) => void expected.push(pattern),
    leave: () => context.close(),
  };
}

/** Through the form at /auth; ends where the product leads. */
export async function signUp({ page, name, email }: Person): Promise<void> {
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('Full name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
}

/** What someone without a workspace is asked for. */
export async function createFirstWorkspace({ page }: Person, name: string): Promise<void> {
  await page.getByLabel('Workspace name').fill(name);
  await page.getByRole('button', { name: 'Create Workspace' }).click();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
}

/** Keeps what every person saw and what the server wrote. Returns the folder. */
export async function saveEvidence(people: readonly Person[], serverOutput: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cuebird-evidence-'));
  await writeFile(join(folder, 'server.txt'), serverOutput);
  for (const { name, page } of people) {
    if (page.isClosed()) continue;
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
    const text = await page.locator('body').innerText();
    await writeFile(join(folder, `${name}.txt`), `${page.url()}\n\n${text}\n`);
  }
  return folder;
}
