import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

type Axe = {
  run(context: { exclude: string[][] }, options: RunOptions): Promise<AxeResults>;
  _audit: { rules: { id: string; impact: string; enabled: boolean; tags: string[] }[] };
};

declare global {
  interface Window {
    axe?: Axe;
  }
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** No serious or critical violation of the rules of axe; a mail in its frame is its sender's, and runs no script. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await addAxe(page);
  const look = async () => {
    await page.waitForFunction(isAtRest);
    return page.evaluate(gravelyViolated);
  };
  // A search asks a moment after it is typed, and the list turns pale: what is only found then is looked at once more.
  const found = await look();
  expect(found.length === 0 ? found : await look()).toEqual([]);
}

/** By the protocol: what `page.evaluate` is given as text would be compiled anew in every document. */
async function addAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: source });
  await session.detach();
}

/** Runs in the page: no colour is in transition, and no list that is seen is pale while a newer one is asked for. What runs for ever, like a skeleton's pulse, is not waited for. */
function isAtRest(): boolean {
  const isPassing = ({ playState, effect }: Animation) =>
    playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
  // A hidden tab neither asks nor changes: its list stays as it was.
  const isPale = [...document.querySelectorAll('[data-stale="true"]')].some((list) => list.checkVisibility());
  return !document.getAnimations().some(isPassing) && !isPale;
}

/** Runs in the page: the violations that are grave, by the rules that can be. */
async function gravelyViolated(): Promise<string[]> {
  const isGrave = (impact?: string | null) => impact === 'serious' || impact === 'critical';
  const { axe } = window;
  if (!axe) throw new Error('axe is not in the page.');
  const grave = axe._audit.rules.filter(({ impact, enabled, tags }) => {
    return enabled && isGrave(impact) && !tags.includes('experimental') && !tags.includes('deprecated');
  });
  const { violations } = await axe.run(
    { exclude: [['iframe']] },
    {
      runOnly: { type: 'rule', values: grave.map(({ id }) => id) },
      resultTypes: ['violations'],
      iframes: false,
    },
  );
  return violations
    .filter(({ impact }) => isGrave(impact))
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`).join(' … ')}`,
    );
}
