import type { Page } from 'playwright-core';
import { expectAccessible, expectContrast } from './accessible.ts';
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
 * Nothing is cut, on a phone in the dark and at every other width in the light, and everyone can use it. What the
 * scheme changes is looked at in both; all else once, at the last width. It stays at that, in the light.
 */
export async function expectGood(page: Page, widths: readonly number[] = [390, 768, 1440]): Promise<void> {
  const [phone = 390, ...others] = widths;
  await showIn(page, 'dark');
  await showAt(page, phone);
  await expectFits(page);
  await expectContrast(page);
  await showIn(page, 'light');
  for (const width of others) {
    await showAt(page, width);
    await expectFits(page);
  }
  await expectAccessible(page);
}
