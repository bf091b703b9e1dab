import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Session } from '../api/session.ts';

export type Visited = { browser: Browser; url: string; session: Session };

/** A browser that has never been here, signed in. */
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

/** From the moment the address is asked for until the first content can be read, in ms of the page's own clock. */
export async function firstContentMs(
  page: Page,
  { path, content }: { path: string; content: string },
): Promise<number> {
  await page.goto(path, { waitUntil: 'commit' });
  await page.locator(content).first().waitFor();
  return page.evaluate(() => performance.now());
}

declare global {
  interface Window {
    interactions: number[];
  }
}

/** Each press of a key or button, from the press until the next frame was painted (Event Timing, W3C). */
function watchInteractions(): void {
  window.interactions = [];
  // The types of the DOM do not know the threshold yet.
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

/** How long each interaction of `act` took, in ms; shorter ones than a frame count as one. */
export async function interactionsOf(page: Page, act: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => void (window.interactions = []));
  await act();
  // The observer is told after the frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
  const found = await page.evaluate(() => window.interactions);
  return found.length > 0 ? found : [16];
}
