import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectGood } from './looks.ts';
import { type Fixture, openFixture, reads, toast } from './screens.fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const call = async (
  workspace: string,
  { method = 'POST', path, body }: { method?: string; path: string; body?: object },
) => {
  const answer = await fixture.ann.call(method, path, { workspace, body });
  expect(answer.json.error).toBeUndefined();
  return answer.json;
};

/** As many tenants, two thirds of them of 12 Elm. */
async function tenants(count: number): Promise<string> {
  const workspace = await fixture.ann.createWorkspace(`Elm ${crypto.randomUUID().slice(0, 8)}`);
  const contacts = Array.from({ length: count }, (_, at) => ({
    name: `Tenant ${String(at + 1).padStart(4, '0')}`,
    email: `tenant${at + 1}@example.com`,
    variables: { building: at % 3 === 0 ? '7 Oak' : '12 Elm' },
  }));
  for (let at = 0; at < count; at += 1_000)
    await call(workspace, { path: '/api/contacts/batch', body: { contacts: contacts.slice(at, at + 1_000) } });
  return workspace;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const audienceOf = async (workspace: string) =>
  (await call(workspace, { method: 'GET', path: '/api/reminders' })).data[0].metadata.audience;

async function writeReminder(page: Page): Promise<void> {
  await page.getByLabel('Title').fill('Rent');
  await page.getByRole('tab', { name: 'Content' }).click();
  await page.getByLabel('Subject').fill('Rent is due');
  await page.getByLabel('Message').fill('Please pay.');
  await press(page, 'Create Reminder');
  await toast(page, { title: 'Success!', text: 'Reminder has been created successfully.' });
}

describe('a selection of contacts', () => {
  it('is all that match and not only the loaded rows; it gets a tag, and a reminder is written to that tag', async () => {
    const workspace = await tenants(1_200);
    const page = await fixture.open('/contacts', { as: fixture.ann, workspace });
    await reads(page, ['1,200 contacts', '100 shown']);
    await page.getByRole('searchbox').fill('tenant');
    await page.waitForURL(/search=tenant/);
    await page.locator('main [aria-busy=false]').waitFor();
    await page.getByRole('checkbox', { name: 'Choose all that are shown' }).check();
    await reads(page, ['100 selected']);
    await press(page, 'Select all 1,200');
    await reads(page, ['All 1,200 selected']);
    await expectGood(page);

    await press(page, 'Write to these');
    await reads(page, [/A reminder names at most 1,000 contacts one by one/]);
    await expectGood(page);
    await page.getByLabel('Tag', { exact: true }).fill('tenant');
    await page.keyboard.press('Enter');
    await toast(page, { title: 'Tags added', text: '“tenant” added to 1,200 contacts.' });
    await reads(page, ['tenant · 1,200 people']);
    await expectGood(page);
    await writeReminder(page);
    await reads(page, ['tenant · 1,200 people']);
    expect(await audienceOf(workspace)).toEqual({ tags: ['tenant'] });
  });
});
