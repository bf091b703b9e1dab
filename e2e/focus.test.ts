import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { describeScreens } from './screens.fixture.ts';

const fixture = describeScreens();

/** What has the focus, by its label or its words. */
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);

describe.concurrent('the focus goes on where one is', () => {
  it('after an act of a job, which offers another then', async ({ expect }) => {
    const page = await fixture.open('/jobs', { as: fixture.ann, workspace: fixture.full });
    await page.getByRole('button', { name: 'Pause Rent' }).press('Enter');
    await expect.poll(() => focused(page)).toBe('Resume Rent');
  });

  it('after the last page of a list, to what the list says of itself', async ({ expect }) => {
    const workspace = await fixture.ann.createWorkspace('Oak Lane');
    const names = Array.from({ length: 130 }, (_, n) => `Person ${String(n).padStart(3, '0')}`);
    const csv = ['Name,E-mail', ...names.map((name, n) => `${name},person${n}@example.com`)].join('\n');
    await fixture.call(workspace, { path: '/api/contacts/import', body: { csv, mode: 'import' } });
    const page = await fixture.open('/contacts', { as: fixture.ann, workspace });
    await page.getByRole('button', { name: 'Load more' }).press('Enter');
    await page.getByText('Person 129').first().waitFor();
    await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toMatch(/^130 shown/);
  });
});
