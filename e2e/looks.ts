import type { Page } from 'playwright-core';
import { sample } from '#testing/sample.ts';
import { expectAccessible } from './accessible.ts';
import { expectFits } from './screens.fixture.ts';

/** Shows the open page in a colour scheme, without loading it again. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
}

export async function showAt(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.waitForFunction(isLaidOut);
}

/** A table of jobs becomes cards when the window has told that it is narrow, a moment after it is. */
function isLaidOut(): boolean {
  const hasTable = document.querySelector('main .mantine-Card-root table') !== null;
  return !hasTable || location.pathname !== '/jobs' || matchMedia('(min-width: 75em)').matches;
}

/**
 * Nothing is cut and everyone can use it. Each line that asks draws a colour scheme and two of the widths, and half of the lines draw one of these
 * at which axe looks; `npm run test:all` takes all. The page stays at the last width, in the light.
 */
export async function expectGood(page: Page, widths: readonly number[] = [390, 768, 1440]): Promise<void> {
  const line = lineOfTest();
  const drawn = sample.draw(widths, { name: `${line} widths`, count: 2 });
  // As many blanks as widths.
  const looked = sample.draw([...drawn, ...drawn.map(() => null)], { name: `${line} axe`, count: 1 });
  for (const scheme of sample.draw(schemes, { name: `${line} scheme`, count: 1 })) {
    await showIn(page, scheme);
    for (const width of drawn) {
      await showAt(page, width);
      await expectFits(page);
      if (looked.includes(width)) await expectAccessible(page);
    }
  }
  await showIn(page, 'light');
  await showAt(page, widths.at(-1) ?? 1440);
}

const schemes = ['light', 'dark'] as const;

/** The widths at which a line of a test loads a page: one, drawn by the run, or all. */
export const loadedWidths = (): (390 | 1440)[] => sample.draw([390, 1440], { name: `${lineOfTest()} loads`, count: 1 });

/** Which line of which test calls, the same wherever the project is. */
function lineOfTest(): string {
  const [line] = /[\w.-]+\.test\.ts:\d+/.exec(new Error().stack ?? '') ?? [];
  if (line === undefined) throw new Error('Only a test may draw.');
  return line;
}
