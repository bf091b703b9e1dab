import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Session } from '../api/session.ts';

export type Visited = { browser: Browser; url: string; session: Session };

/** A signed-in browser with an empty cache. */
export async function newcomer({ browser, url, session }: Visited): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
  const cookies = (session.headers.cookie ?? '').split('; ').map((line) => {
    const at = line.indexOf('=');
    return { name: line.slice(0, at), value: line.slice(at + 1), url };
  });
  await context.addCookies(cookies);
  await context.addInitScript(watchInteractions);
  return context;
}

/** A text that is shown within the first element that matches a selector. */
export type Content = { text: string; within?: string };

/**
 * The time from the navigation until the content is visible, in milliseconds of the page's own clock. The page looks at each frame: a
 * locator looks only twice a second.
 */
export async function firstContentMs(
  page: Page,
  { path, content: { text, within = 'main' } }: { path: string; content: Content },
): Promise<number> {
  await page.goto(path, { waitUntil: 'commit' });
  const shown = await page.waitForFunction(
    ([selector, wanted]) => {
      const root = document.querySelector<HTMLElement>(selector);
      return root?.innerText.includes(wanted) === true && performance.now();
    },
    [within, text] as const,
    { polling: 'raf' },
  );
  return Number(await shown.jsonValue());
}

declare global {
  interface Window {
    interactions: number[];
  }
}

/** Records each press of a key or button until the next painted frame (Event Timing, W3C). */
function watchInteractions(): void {
  window.interactions = [];
  // The DOM types do not contain the threshold yet.
  const everyEvent: PerformanceObserverInit & { durationThreshold: number } = {
    type: 'event',
    durationThreshold: 16,
    buffered: true,
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ('interactionId' in entry && Number(entry.interactionId) > 0) window.interactions.push(entry.duration);
  }).observe(everyEvent);
}

/** The duration of each interaction of `act` in milliseconds; one shorter than a frame counts as one frame. */
export async function interactionsOf(page: Page, act: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => void (window.interactions = []));
  await act();
  // The observer is notified after the frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
  const found = await page.evaluate(() => window.interactions);
  return found.length > 0 ? found : [16];
}
