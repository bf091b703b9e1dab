import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectGood } from './looks.ts';
import { breakDown, describeScreens, reads } from './screens.fixture.ts';

const fixture = describeScreens();
let workspace: string;
beforeAll(async () => {
  workspace = await fixture.ann.createWorkspace('Oak Lane');
  const rows = ['anna@example.com,950 €,1 March', 'bert@example.com,960 €,'];
  const csv = `Email,Monthly Rent,MoveInDate\n${rows.join('\n')}`;
  const { json } = await fixture.ann.call('POST', '/api/contacts/import', { workspace, body: { csv, mode: 'import' } });
  expect(json.counts).toMatchObject({ created: 2 });
});

async function openContent(before?: (page: Page) => Promise<void>): Promise<Page> {
  const page = await fixture.open('/reminders/new', { as: fixture.ann, workspace, before });
  await page.getByRole('tab', { name: 'Content' }).click();
  return page;
}
const message = (page: Page) => page.getByLabel('Message');
const listed = (page: Page) => page.getByRole('listbox', { name: 'Variables' }).getByRole('option').allInnerTexts();

describe.concurrent('the variables of a message', () => {
  it('are offered as chips: the common ones first, then the values of contacts', async ({ expect }) => {
    const page = await openContent();
    const own = page.getByRole('group', { name: 'Values of contacts' }).getByRole('button');
    await own.nth(1).waitFor();
    await expect.poll(() => own.allInnerTexts()).toEqual(['MoveInDate', 'monthly_rent']);
    await own.first().click();
    await expect.poll(() => message(page).inputValue()).toBe('{{MoveInDate}}');
    await reads(page, ['Values']);
    await expectGood(page);
  });

  it('are the common ones alone when the values of contacts cannot be had', async ({ expect }) => {
    const page = await openContent((opened) => breakDown(opened, '/api/contacts/variables'));
    await page.getByRole('group', { name: 'Quick variables' }).getByRole('button').first().waitFor();
    await expect.poll(() => page.getByRole('group', { name: 'Values of contacts' }).count()).toBe(0);
  });

  it('are offered while {{ is typed, and chosen with the arrow keys and Enter', async ({ expect }) => {
    const page = await openContent();
    await page.getByRole('group', { name: 'Values of contacts' }).waitFor();
    await message(page).pressSequentially('Pay {{ren');
    await page.getByRole('option', { name: 'monthly_rent' }).waitFor();
    await expect.poll(() => listed(page)).toEqual(['monthly_rent', 'current_date', 'current_month', 'current_year']);
    await expectGood(page);
    await page.keyboard.press('Enter');
    await expect.poll(() => message(page).inputValue()).toBe('Pay {{monthly_rent}}');
    await page.keyboard.type(' by {{date');
    await page.getByRole('option', { name: 'current_date' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => message(page).inputValue()).toBe('Pay {{monthly_rent}} by {{due_date}}');
    await page.keyboard.press('Enter');
    await expect.poll(() => message(page).inputValue()).toBe('Pay {{monthly_rent}} by {{due_date}}\n');
    await expect.poll(() => page.url()).toContain('/reminders/new');
  });

  it('are not offered again after Esc, and a click chooses one', async ({ expect }) => {
    const page = await openContent();
    const subject = page.getByLabel('Subject');
    await subject.pressSequentially('Rent {{am');
    const options = page.getByRole('listbox', { name: 'Variables' });
    await options.waitFor();
    await page.keyboard.press('Escape');
    await options.waitFor({ state: 'hidden' });
    await page.keyboard.type('o');
    await expect.poll(() => options.count()).toBe(0);
    await page.keyboard.press('Backspace');
    await page.keyboard.type('}} and {{prod');
    await page.getByRole('option', { name: 'product_name' }).click();
    await expect.poll(() => subject.inputValue()).toBe('Rent {{am}} and {{product_name}}');
  });

  it('that were typed by hand have fields for their values, and are filled in however they are spelled', async ({
    expect,
  }) => {
    const page = await openContent();
    await message(page).fill('Dear {{recipient_name}}, {{ Monthly Rent }} for {{Flat No}}, {{move_in_date}}');
    const values = page.getByRole('region', { name: 'Values' });
    await values.getByLabel('Flat_No').fill('3a');
    await expect.poll(() => values.getByRole('textbox').count()).toBe(3);
    await values.getByLabel('Monthly_Rent').and(values.getByPlaceholder('From each contact')).waitFor();
    await page.getByRole('tab', { name: 'Channels' }).click();
    await page.getByRole('combobox', { name: 'Recipients', exact: true }).fill('anna@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Content' }).click();
    const mail = page.frameLocator('iframe[title="The message as mail"]');
    await mail.getByText('Dear anna@example.com, 950 € for 3a, 1 March').waitFor();
  });
});
