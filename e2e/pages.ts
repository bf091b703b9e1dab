import type { Browser, BrowserContext, BrowserContextOptions, Disposable, Page } from 'playwright-core';
import { launchBrowser } from '#testing/browser.ts';
import { endInterception } from './interception.ts';

/** Somebody's page until it is given back. */
export type Lease = {
  page: Page;
  /** Runs in every document of this lease before its own scripts. */
  addInitScript(script: (argument: string) => void, argument?: string): Promise<void>;
  giveBack(): Promise<void>;
};

let browser: Promise<Browser> | undefined;

/** A page here lives for seconds: to optimize its scripts takes longer than they run. */
const flags = ['--js-flags=--no-opt --no-maglev'];

/** The browser of this worker; it ends with its process. */
export const sharedBrowser = () => (browser ??= launchBrowser(flags));

/** A service worker would stand between a page and what a test stops: its own tests allow it. */
const options = {
  viewport: { width: 1440, height: 900 },
  // The same wherever the machine is.
  timezoneId: 'UTC',
  reducedMotion: 'reduce',
  serviceWorkers: 'block',
} as const;

/** Pages that nobody uses. One that has loaded the product before loads it again in half the time. */
const idle: Page[] = [];

/** A page of a browser that remembers nothing. */
export async function leasePage(baseURL: string): Promise<Lease> {
  const page = idle.pop() ?? (await openPage({ baseURL }));
  await page.setViewportSize(options.viewport);
  const scripts: Disposable[] = [];
  return {
    page,
    async addInitScript(script, argument = '') {
      scripts.push(await page.addInitScript(script, argument));
    },
    async giveBack() {
      if (page.isClosed() || !(await isForgotten(page, scripts))) return page.context().close();
      idle.push(page);
    },
  };
}

/** A page in a context of its own, for what cannot be taken back, such as another clock or a crash. */
export async function openOwnPage(own: BrowserContextOptions): Promise<Lease> {
  const page = await openPage(own);
  return {
    page,
    async addInitScript(script, argument = '') {
      await page.addInitScript(script, argument);
    },
    giveBack: () => page.context().close(),
  };
}

async function openPage(own: BrowserContextOptions): Promise<Page> {
  const context = await (await sharedBrowser()).newContext({ ...options, ...own });
  // For a machine that does other things as well.
  context.setDefaultTimeout(60_000);
  return context.newPage();
}

/** False where a page does not let go of what it was used for: it is of no more use. */
async function isForgotten(page: Page, scripts: readonly Disposable[]): Promise<boolean> {
  try {
    for (const script of scripts) await script.dispose();
    await forget(page);
    return true;
  } catch {
    return false;
  }
}

async function forget(page: Page): Promise<void> {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  for (const event of ['console', 'dialog', 'request', 'response'] as const) page.removeAllListeners(event);
  // What is not saved may ask before it is left.
  page.once('dialog', (dialog) => dialog.accept());
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await endInterception(page);
  // A document of the same origin, and of nothing else.
  await page.goto('/favicon.svg');
  page.removeAllListeners('dialog');
  await page.evaluate(forgetOrigin);
  await page.emulateMedia({ ...options, colorScheme: null, contrast: null, forcedColors: null, media: null });
  await forgetPerson(context);
}

async function forgetOrigin(): Promise<void> {
  localStorage.clear();
  sessionStorage.clear();
  for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
  for (const name of await caches.keys()) await caches.delete(name);
  for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister();
}

async function forgetPerson(context: BrowserContext): Promise<void> {
  await context.clearCookies();
  await context.clearPermissions();
}
