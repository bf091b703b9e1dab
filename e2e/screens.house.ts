import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { launchBrowser } from '#testing/browser.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { connectOwner } from '#testing/owner.ts';
import { insertThings, sampleReminder, type Things } from '#testing/samples.ts';

export type Visit = {
  /** Who is signed in; nobody when left out. */
  as?: TestPerson;
  workspace?: string;
  width?: 390 | 1440;
  /** Called before the page is asked for: to hold or to break what it will ask. */
  before?: (page: Page) => Promise<void>;
};

/** One server and one browser, with a workspace that holds something of everything and one that holds nothing. */
export type House = {
  cuebird: TestCuebird;
  ann: TestPerson;
  full: string;
  empty: string;
  things: Things;
  /** Somebody who has no workspace yet. */
  newcomer: TestPerson;
  open(path: string, visit?: Visit): Promise<Page>;
  close(): Promise<void>;
};

export async function openHouse(): Promise<House> {
  const [cuebird, browser] = await Promise.all([startTestCuebird(), launchBrowser()]);
  const ann = await cuebird.signUp('Ann Lee');
  const newcomer = await cuebird.signUp('Nora Field');
  const full = await ann.createWorkspace('Elm Street');
  const empty = await ann.createWorkspace('Mill Road');
  const things = await fill(cuebird, { ann, workspace: full });
  return {
    cuebird,
    ann,
    full,
    empty,
    things,
    newcomer,
    open: (path, visit = {}) => visitPage(browser, { url: cuebird.url, path, visit }),
    async close() {
      await browser.close();
      await cuebird.stop();
    },
  };
}

async function fill(cuebird: TestCuebird, { ann, workspace }: { ann: TestPerson; workspace: string }): Promise<Things> {
  const owner = await connectOwner(cuebird.databaseUrl);
  try {
    const things = await insertThings(owner, { workspace, userId: ann.userId });
    await owner.query(
      `insert into job_executions (workspace_id, job_id, status, started_at, completed_at, duration_ms, error_message)
       values ($1, $2, 'failed', now(), now(), 61000, 'The mail server refused')`,
      [workspace, things.failedJob],
    );
    await owner.query(
      `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts, reason)
       values ($1, $2, '2099-01-01Z', 'email', 'dana@example.com', 'failed', 2, 'No such mailbox')`,
      [workspace, things.failedJob],
    );
    await owner.query(
      `with sent as (
         insert into sandbox_messages (id, workspace_id, channel, provider, sender, recipient, subject, body_text, body_raw, raw_size,
           report_status, report_answer)
         values (uuidv7(), $1, 'whatsapp', 'waha', '+14155238887', '+4915112345678', '', E'*Rent of June*\\nis _due today_', '{}', 2,
                 'delivered', 'HTTP 204'),
                (uuidv7(), $1, 'slack', 'slack', 'Cuebird', '#rent', '', E'*Rent &amp; water*\\n<https://example.com|Open the plan>', '{}', 2, null, null),
                (uuidv7(), $1, 'push', 'push', '127.0.0.1', 'browser', 'Rent of July', 'It is due on Monday', '{}', 2, null, null)
         returning id, channel
       )
       insert into sandbox_messages (workspace_id, channel, provider, sender, recipient, subject, body_text, raw_size, reply_to)
       select $1, 'whatsapp', 'waha', '+4915112345678', '+14155238887', '', 'Thanks, paid', 2, id from sent where channel = 'whatsapp'`,
      [workspace],
    );
    const unbroken = 'https://example.com/'.padEnd(300, 'path');
    await ann.call('POST', '/api/reminders', {
      workspace,
      body: {
        ...sampleReminder,
        name: 'W'.repeat(100),
        content: { ...sampleReminder.content, recipients: ['ann@example.com', unbroken] },
      },
    });
    return things;
  } finally {
    await owner.end();
  }
}

async function visitPage(browser: Browser, { url, path, visit }: { url: string; path: string; visit: Visit }) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: visit.width ?? 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(10_000);
  if (visit.as) await signIn(context, { url, person: visit.as });
  const page = await context.newPage();
  await page.addInitScript(rememberShifts);
  if (visit.workspace) await page.addInitScript(chooseWorkspace, visit.workspace);
  await visit.before?.(page);
  await page.goto(path);
  return page;
}

async function signIn(context: BrowserContext, { url, person }: { url: string; person: TestPerson }): Promise<void> {
  const cookies = person.cookie.split('; ').map((line) => {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(line) ?? [];
    return { name, value, url };
  });
  await context.addCookies(cookies);
}

function chooseWorkspace(id: string): void {
  // A mail is shown in a frame of the same page, which may not look there.
  if (window === window.top) localStorage.setItem('cuebird.workspace', id);
}

declare global {
  interface Window {
    shifted: number;
  }
}

function rememberShifts(): void {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if ('value' in entry) window.shifted += Number(entry.value);
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Holds back what the API answers below a path until the returned function is called. */
export async function holdBack(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(isCallOf(path), async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** The API answers 500 below a path, in these words. */
export async function breakDown(page: Page, path: string): Promise<void> {
  await page.route(isCallOf(path), (route) =>
    route.fulfill({ status: 500, json: { error: { code: 'internal', message: outage, request_id: 'r-1' } } }),
  );
}

/** No news comes, by which a screen would ask again by itself. */
export const cutOffNews = (page: Page) => page.route(isCallOf('/api/stream'), (route) => route.abort());

export const outage = 'The database is being moved. Try again in a minute.';

const isCallOf = (path: string) => (url: URL) => url.pathname === path;

/** Waits until a person can read every one of these texts, word for word. */
export async function reads(page: Page, texts: readonly (string | RegExp)[]): Promise<void> {
  await Promise.all(
    texts.map((text) => page.getByText(text, { exact: true }).filter({ visible: true }).first().waitFor()),
  );
}

/** Waits for a toast with this title and text. */
export async function toast(page: Page, { title, text }: { title: string; text: string }): Promise<void> {
  const toasts = page.locator('.mantine-Notification-root');
  await toasts
    .filter({ hasText: title })
    .filter({ has: page.getByText(text, { exact: true }) })
    .first()
    .waitFor();
}

/** No serious or critical violation of the rules of axe; a mail in its frame is its sender's, and runs no script. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' … ')}`)).toEqual([]);
}

/** Nothing reaches past the right edge of the window, of a card or of a dialog, and the browser's tab has a name. */
export async function expectFits(page: Page): Promise<void> {
  const tooWide = await page.evaluate(() =>
    [...document.querySelectorAll('html, .mantine-Card-root, [role="dialog"]')]
      // The lines of a grid of cards lie on its edge.
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ nodeName, textContent }) => `${nodeName}: ${textContent?.slice(0, 80)}`),
  );
  expect(tooWide).toEqual([]);
  expect(await page.title()).toMatch(/^\S.* · Cuebird$/);
}

/** How much of the page has moved without anybody's doing: the browser's cumulative layout shift. */
export const shiftOf = (page: Page): Promise<number> => page.evaluate(() => window.shifted);
