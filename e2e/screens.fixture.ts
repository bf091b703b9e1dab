import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, aroundEach, beforeAll, expect, inject } from 'vitest';
import { type ApiAnswer, signUp, type TestPerson } from '#testing/cuebird.ts';
import { connectOwner } from '#testing/owner.ts';
import { insertThings, type Things } from '#testing/sample-rows.ts';
import { sampleReminder } from '#testing/samples.ts';
import { allowRequests, answer, cutOff, letPass, stopRequests } from './interception.ts';
import { type Lease, leasePage, openOwnPage } from './pages.ts';

export type Visit = {
  /** Who is signed in; nobody when left out. */
  as?: TestPerson;
  workspace?: string;
  width?: 390 | 1440;
  /** For what cannot be taken back, such as another clock or a crash: a context that nobody uses again. */
  own?: BrowserContextOptions;
  /** Called before the page is asked for: to hold or to break what it will ask. */
  before?: (page: Page) => Promise<unknown>;
};

/** People of one test file on the run's one server, with a workspace that holds something of everything and one that holds nothing. */
export type Fixture = {
  url: string;
  /** The owner's address of the server's database. */
  databaseUrl: string;
  /** A connection to it as its owner. */
  owner: Client;
  ann: TestPerson;
  full: string;
  empty: string;
  things: Things;
  /** Somebody who has no workspace yet. */
  newcomer: TestPerson;
  signUp(name: string): Promise<TestPerson>;
  /** What the API answers to Ann in a workspace; a refusal fails the test. */
  call(workspace: string, request: { method?: string; path: string; body?: object }): Promise<ApiAnswer['json']>;
  /** A page until the test ends that opens it; what a hook opens stays until the end of the file. */
  open(path: string, visit?: Visit): Promise<Page>;
  /** Ends what `open` began, sooner than the test does. */
  leave(page: Page): Promise<void>;
};

/** The people and workspaces that a fixture begins with. */
type Residents = Pick<Fixture, 'owner' | 'ann' | 'full' | 'empty' | 'things' | 'newcomer'>;

/** The fixture of the tests of a file or a `describe`, in which it is called: open before the first of them, closed after the last. */
export function describeScreens(): Fixture {
  const { url, databaseUrl } = inject('cuebird');
  const leases = new Map<Page, Lease>();
  const ofTest = new AsyncLocalStorage<Lease[]>();
  let residents: Residents | undefined;
  const here = () => {
    if (residents === undefined) throw new Error('The fixture opens before the first test.');
    return residents;
  };
  const signUpHere = (name: string) =>
    signUp(url, { name, email: `${name.toLowerCase().replaceAll(/\W+/g, '.')}.${randomUUID()}@example.com` });
  /** Does nothing with a lease that has ended: somebody else may have its page by now. */
  const end = async (lease: Lease) => {
    if (leases.get(lease.page) !== lease) return;
    leases.delete(lease.page);
    await lease.giveBack();
  };
  beforeAll(async () => {
    residents = await moveIn(databaseUrl, signUpHere);
  });
  // Tests of a file run at the same time: each gives back its own pages.
  aroundEach(async (run) => {
    const begun: Lease[] = [];
    await ofTest.run(begun, run);
    await Promise.all(begun.map(end));
  });
  afterAll(async () => {
    await Promise.all([...leases.values()].map(end));
    await residents?.owner.end();
  });
  return {
    url,
    databaseUrl,
    get owner() {
      return here().owner;
    },
    get ann() {
      return here().ann;
    },
    get full() {
      return here().full;
    },
    get empty() {
      return here().empty;
    },
    get things() {
      return here().things;
    },
    get newcomer() {
      return here().newcomer;
    },
    signUp: signUpHere,
    async call(workspace, { method = 'POST', path, body }) {
      const { json } = await here().ann.call(method, path, { workspace, body });
      expect(json.error).toBeUndefined();
      return json;
    },
    async open(path, visit = {}) {
      const lease = visit.own ? await openOwnPage({ baseURL: url, ...visit.own }) : await leasePage(url);
      leases.set(lease.page, lease);
      ofTest.getStore()?.push(lease);
      await begin(lease, { url, visit });
      await lease.page.goto(path);
      return lease.page;
    },
    async leave(page) {
      const lease = leases.get(page);
      if (lease !== undefined) await end(lease);
    },
  };
}

async function moveIn(databaseUrl: string, signUpHere: Fixture['signUp']): Promise<Residents> {
  const [ann, newcomer] = await Promise.all([signUpHere('Ann Lee'), signUpHere('Nora Field')]);
  const full = await ann.createWorkspace('Elm Street');
  const empty = await ann.createWorkspace('Mill Road');
  const owner = await connectOwner(databaseUrl);
  return { owner, ann, full, empty, newcomer, things: await fill(owner, { ann, workspace: full }) };
}

async function begin({ page, addInitScript }: Lease, { url, visit }: { url: string; visit: Visit }): Promise<void> {
  if (visit.width) await page.setViewportSize({ width: visit.width, height: 900 });
  if (visit.as) await page.context().addCookies(cookiesOf(visit.as, url));
  await addInitScript(rememberShifts);
  if (visit.workspace) await addInitScript(chooseWorkspace, visit.workspace);
  await visit.before?.(page);
}

async function fill(owner: Client, { ann, workspace }: { ann: TestPerson; workspace: string }): Promise<Things> {
  const things = await insertThings(owner, { workspace, userId: ann.userId });
  await owner.query(
    `insert into job_executions (workspace_id, job_id, status, started_at, completed_at, duration_ms, error_message)
     values ($1, $2, 'failed', now(), now(), 61000, 'The mail server refused')`,
    [workspace, things.failedJob],
  );
  await owner.query(
    `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts, reason, reason_code)
     values ($1, $2, '2099-01-01Z', 'email', 'dana@example.com', 'failed', 2, 'No such mailbox', 'no_such_address')`,
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
}

/** The cookies of somebody who is signed in at a server. */
export const cookiesOf = ({ cookie }: TestPerson, url: string) =>
  cookie.split('; ').map((line) => {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(line) ?? [];
    return { name, value, url };
  });

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
export async function delayRequests(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await stopRequests(page, {
    path,
    async outcome(session, requestId) {
      await promise;
      await letPass(session, requestId);
    },
  });
  return resolve;
}

/**
 * The API answers 500 below a path, in these words, until `restore`. A page that opens after this gets no news either:
 * when its stream begins, it would ask again by itself, before anybody has pressed Retry.
 */
export async function breakDown(page: Page, path: string): Promise<void> {
  await cutOffNews(page);
  broken.set(page, [...(broken.get(page) ?? []), path]);
  await stopRequests(page, {
    path,
    outcome: answer(500, { error: { code: 'internal', message: outage, request_id: 'r-1' } }),
  });
}

const broken = new WeakMap<Page, string[]>();

/** Takes back each `breakDown` of a page, which gets no news still. */
export async function restore(page: Page): Promise<void> {
  await allowRequests(page, broken.get(page) ?? []);
  broken.delete(page);
}

/** No news comes, by which a screen would ask again by itself. */
export const cutOffNews = (page: Page) => stopRequests(page, { path: '/api/stream', outcome: cutOff });

export const outage = 'The database is being moved. Try again in a minute.';

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

/** Nothing reaches past the right edge of the window, of a card or of a dialog, and the browser's tab has a name. */
export async function expectFits(page: Page): Promise<void> {
  // A list that hangs from its field follows it a moment after the window has changed, and a title comes with its data.
  await page.waitForFunction(isFitting, null, { timeout: 5_000 }).catch(() => {});
  expect(await page.evaluate(tooWide)).toEqual([]);
  expect(await page.title()).toMatch(titlePattern);
}

const titlePattern = /^\S.* · Cuebird$/;

/** Runs in the page. */
function tooWide(): string[] {
  return (
    [...document.querySelectorAll('html, .mantine-Card-root, [role="dialog"]')]
      // The lines of a grid of cards lie on its edge.
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ nodeName, textContent }) => `${nodeName}: ${textContent?.slice(0, 80)}`)
  );
}

/** Runs in the page: what `tooWide` finds is nothing, and there is a title. */
function isFitting(): boolean {
  const parts = [...document.querySelectorAll('html, .mantine-Card-root, [role="dialog"]')];
  return (
    document.title.endsWith(' · Cuebird') &&
    parts.every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth + 1)
  );
}

/** How much of the page has moved without anybody's doing: the browser's cumulative layout shift. */
export const shiftOf = (page: Page): Promise<number> => page.evaluate(() => window.shifted);
