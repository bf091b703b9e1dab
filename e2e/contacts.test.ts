import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addMember } from '#testing/owner.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import {
  breakDown,
  cutOffNews,
  delayRequests,
  expectFits,
  describeScreens,
  outage,
  reads,
  restore,
  shiftOf,
  toast,
  type Visit,
} from './screens.fixture.ts';

const fixture = describeScreens();

const visit = (workspace: string, { path = '/contacts', ...more }: Visit & { path?: string } = {}) =>
  fixture.open(path, { as: fixture.ann, workspace, ...more });

/** A workspace with as many contacts, named Person 001 and so on. */
async function peopled(count: number): Promise<string> {
  const workspace = await fixture.ann.createWorkspace(`Oak Lane ${crypto.randomUUID().slice(0, 8)}`);
  const lines = Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(3, '0');
    return `Person ${number},person${number}@example.com,+4915112345${number},Europe/Berlin,${number} €`;
  });
  const csv = `Name,Email,Phone,Zone,amount\n${lines.join('\n')}`;
  await fixture.call(workspace, { path: '/api/contacts/import', body: { csv, mode: 'import' } });
  return workspace;
}

// Not the inner text, which a row does not have until it is rendered.
const namesOf = (page: Page) =>
  page.getByRole('list', { name: 'Contacts', exact: true }).getByRole('link').allTextContents();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const closed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' });

describe.concurrent('the contacts', () => {
  it('are one of the links, and the bar has room for all of them', async () => {
    const page = await visit(fixture.empty, { path: '/reminders' });
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await links.filter({ hasText: 'Contacts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
    const labels = await links.allInnerTexts();
    expect(labels.slice(0, 3)).toEqual(['Dashboard', 'Reminders', 'Contacts']);
    for (const width of [992, 1200, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expectFits(page);
    }
    await page.setViewportSize({ width: 768, height: 900 });
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Contacts' }).waitFor();
  });

  it('say what they are for while there are none', async () => {
    const page = await visit(fixture.empty);
    await reads(page, ['No contacts yet', 'Add a contact', 'Import a file']);
    await expectGood(page);
  });

  it('show their shape while they load, and nothing jumps when they come', async () => {
    let release = () => {};
    const workspace = await peopled(12);
    const page = await visit(workspace, {
      before: async (opened) => {
        release = await delayRequests(opened, '/api/contacts');
      },
    });
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    release();
    await reads(page, ['Person 001', 'person001@example.com', '+4915112345001', 'Europe/Berlin', '12 shown']);
    expect(await shiftOf(page)).toBeLessThan(0.02);
    await expectGood(page);
  });

  it('say when they cannot be had, and are there when it is tried again', async () => {
    const workspace = await peopled(1);
    const page = await visit(workspace, { before: (opened) => breakDown(opened, '/api/contacts') });
    await reads(page, ['Error loading contacts', outage]);
    await expectAccessible(page);
    await restore(page);
    await press(page, 'Retry');
    await reads(page, ['Person 001']);
  });

  it('come a page at a time, and are found by name, address and number', async ({ expect }) => {
    const page = await visit(await peopled(130));
    await reads(page, ['100 shown']);
    await press(page, 'Load more');
    await reads(page, ['130 shown']);
    const search = page.getByRole('searchbox');
    for (const [text, found] of [
      ['person 130', 'Person 130'],
      ['PERSON077@', 'Person 077'],
      ['0151 12345 099', 'Person 099'],
    ] as const) {
      await search.fill(text);
      await page.getByRole('link', { name: found, exact: true }).waitFor();
      await reads(page, ['1 shown']);
      await expect.poll(() => namesOf(page)).toEqual([found]);
    }
    await search.fill('nobody at all');
    await reads(page, ['No contacts found']);
    await expectAccessible(page);
    await press(page, 'Show all contacts');
    await reads(page, ['130 shown']);
  });

  it('say beside the button why a further page cannot be had, and bring it when it is tried again', async () => {
    // Without news: the list is asked for again when they begin, and what was said of the further page is over then.
    const page = await visit(await peopled(130), { before: cutOffNews });
    await reads(page, ['100 shown']);
    const furtherPages = (url: URL) => url.pathname === '/api/contacts' && url.searchParams.has('cursor');
    const json = { error: { code: 'internal', message: outage, request_id: 'r-1' } };
    await page.route(furtherPages, (route) => route.fulfill({ status: 500, json }));
    await press(page, 'Load more');
    await reads(page, [`Error loading more: ${outage}`, 'Person 001']);
    expect(await page.getByText('What you see is from').count()).toBe(0);
    await page.unroute(furtherPages);
    await press(page, 'Load more');
    await reads(page, ['130 shown']);
  });

  it('come a further page although they change while it is asked for, and show the change as well', async () => {
    const workspace = await peopled(130);
    const [page, watcher] = await Promise.all([visit(workspace), visit(workspace)]);
    await Promise.all([page, watcher].map((each) => reads(each, ['100 shown'])));
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(
      (url) => url.pathname === '/api/contacts' && url.searchParams.has('cursor'),
      async (route) => {
        await promise;
        await route.continue();
      },
    );
    await press(page, 'Load more');
    await fixture.ann.call('POST', '/api/contacts', {
      workspace,
      body: { name: 'Aaron First', email: 'aaron@example.com' },
    });
    await reads(watcher, ['Aaron First']);
    resolve();
    await reads(page, ['131 shown', 'Aaron First']);
  });

  it('are added with their values and changed, by the keyboard alone', async () => {
    const workspace = await fixture.ann.createWorkspace('Elder Way');
    const page = await visit(workspace);
    await page.getByRole('button', { name: 'Add a contact' }).press('Enter');
    const name = page.getByLabel('Name', { exact: true });
    await name.waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('maxlength') === '200');
    await page.keyboard.press('Enter');
    await reads(page, ['Enter a name, an email address or a phone number']);
    await page.keyboard.type('Anna Smith');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ANNA@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type('0151 123');
    await page.getByRole('combobox', { name: 'Timezone' }).fill('Kolk');
    await page.getByRole('option', { name: /Asia\/Kolkata/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add value' }).press('Enter');
    await page.keyboard.type('the rent');
    await page.getByLabel('the rent', { exact: true }).fill('950 €');
    await page.getByRole('dialog').getByRole('button', { name: 'Add Contact' }).click();
    await reads(page, ['Use only letters, digits, _ and -, starting with a letter']);
    await expectGood(page);
    await page.getByLabel('Name of value 1').fill('rent');
    await page.keyboard.press('Enter');
    await reads(page, [/^“0151 123” is not a phone number with its country code/]);
    await page.getByLabel('Phone').fill('+49 151 12345678');
    await page.keyboard.press('Enter');
    await toast(page, { title: 'Contact added', text: 'Anna Smith has been saved.' });
    await closed(page);
    await reads(page, ['anna@example.com', '+4915112345678', 'Asia/Kolkata', 'rent']);

    await page.getByRole('button', { name: 'Edit Anna Smith', exact: true }).press('Enter');
    await page.getByLabel('Name', { exact: true }).fill('Anna Jones');
    await page.keyboard.press('Escape');
    await page.getByText('Your changes are not saved.').waitFor();
    await page.getByRole('dialog', { name: 'Close without saving?' }).getByRole('button', { name: 'Cancel' }).click();
    await press(page, 'Save Contact');
    await toast(page, { title: 'Contact updated', text: 'Anna Jones has been saved.' });
  });

  it('are sorted as the URL says, by name or by when they were added', async () => {
    const workspace = await peopled(3);
    await fixture.ann.call('POST', '/api/contacts', { workspace, body: { name: 'Aaron First' } });
    const page = await visit(workspace);
    await expect.poll(() => namesOf(page)).toEqual(['Aaron First', 'Person 001', 'Person 002', 'Person 003']);
    await page.getByRole('combobox', { name: 'Sort by' }).click();
    await page.getByRole('option', { name: 'Oldest first' }).click();
    // The others were added at one time.
    const last = async () => (await namesOf(page)).slice(3);
    await expect.poll(last).toEqual(['Aaron First']);
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('created');
    await page.reload();
    await expect.poll(last).toEqual(['Aaron First']);
    await expectGood(page);
  });

  it('show the columns that their reader chose, by the keyboard, for this reader alone and after the next visit', async ({
    expect,
  }) => {
    const workspace = await peopled(2);
    const clara = { first_name: 'Clara', last_name: 'Öz', language: 'de', variables: { amount: '7 €', Flat: '3b' } };
    await fixture.ann.call('POST', '/api/contacts', { workspace, body: { ...clara, email: 'clara@example.com' } });
    const page = await visit(workspace);
    const row = page.getByRole('listitem').filter({ hasText: 'Clara Öz' });
    await row.waitFor();
    await expect.poll(() => row.textContent()).not.toContain('German');
    await page.getByRole('button', { name: 'Columns' }).focus();
    await page.keyboard.press('Enter');
    const menu = page.getByRole('dialog', { name: 'Columns' });
    for (const name of ['Last name', 'Language', 'Flat']) {
      await menu.getByRole('checkbox', { name, exact: true }).focus();
      await page.keyboard.press('Space');
    }
    await menu.getByText('8 at most').waitFor();
    await expect.poll(() => menu.getByRole('checkbox', { name: 'Note' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await menu.getByRole('checkbox', { name: 'Values' }).uncheck();
    await menu.getByRole('checkbox', { name: 'Added' }).check();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await expect.poll(() => row.textContent()).toMatch(/Last name Öz.*Language German.*Added \d+ \w+ \d+.*Flat 3b/);
    await expectGood(page);
    await page.reload();
    await expect.poll(() => row.textContent()).toContain('Language German');
    // Somebody else on this browser, and another workspace, have the usual columns.
    const kept = await page.evaluate(() =>
      Object.keys(localStorage).filter((key) => key.startsWith('cuebird.contact-columns')),
    );
    expect(kept).toEqual([`cuebird.contact-columns.${fixture.ann.userId}.${workspace}`]);
    await page.getByRole('button', { name: 'Columns' }).click();
    await press(page, 'Show the usual columns');
    await page.keyboard.press('Escape');
    await expect.poll(() => row.textContent()).not.toContain('German');
  });

  it('are sorted by the title of a column: one way, the other way, and by name again', async ({ expect }) => {
    const workspace = await fixture.ann.createWorkspace('Ash Court');
    for (const [first_name, last_name] of [
      ['Anna', 'Young'],
      ['Bert', 'Adams'],
      ['Cleo', null],
    ])
      await fixture.ann.call('POST', '/api/contacts', { workspace, body: { first_name, last_name } });
    const page = await visit(workspace);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Last name' }).check();
    await page.keyboard.press('Escape');
    await press(page, 'Sort by Last name');
    await expect.poll(() => namesOf(page)).toEqual(['Bert Adams', 'Anna Young', 'Cleo']);
    await press(page, 'Last name, the other way round');
    await expect.poll(() => namesOf(page)).toEqual(['Anna Young', 'Bert Adams', 'Cleo']);
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('-last_name');
    await press(page, 'Last name, by name again');
    await expect.poll(() => namesOf(page)).toEqual(['Anna Young', 'Bert Adams', 'Cleo']);
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBeNull();
  });

  it('have first and last name, language and a note, which the page of the person shows', async () => {
    const workspace = await fixture.ann.createWorkspace('Birch Way');
    const page = await visit(workspace);
    await press(page, 'Add a contact');
    await page.getByLabel('First name').fill('Anna');
    await page.getByLabel('Last name').fill('Smith');
    await page.getByLabel('Salutation').fill('Ms');
    await page.getByLabel('Email', { exact: true }).fill('anna@example.com');
    const language = page.getByRole('combobox', { name: 'Language' });
    for (const [typed, found] of [
      ['francais', 'French français'],
      ['Türk', 'Turkish Türkçe'],
      ['Österreich', 'German (Austria)'],
      ['austria', 'German (Austria)'],
    ] as const) {
      await language.fill(typed);
      await page.getByRole('option', { name: found }).waitFor();
      await expect.poll(() => page.getByRole('option').count()).toBe(1);
    }
    await page.getByRole('option', { name: 'German (Austria)' }).click();
    await page.getByRole('combobox', { name: 'Preferred channel' }).click();
    await page.getByRole('option', { name: 'SMS' }).click();
    await page.getByLabel('Note').fill('Rings twice');
    expect(await page.getByLabel('Name', { exact: true }).getAttribute('placeholder')).toBe('Anna Smith');
    await expectGood(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Add Contact' }).click();
    await toast(page, { title: 'Contact added', text: 'Anna Smith has been saved.' });
    await closed(page);
    await page.getByRole('link', { name: 'Anna Smith' }).click();
    await reads(page, ['German (Austria)', 'Preferred channel', 'SMS', 'Rings twice', 'First name']);
    await expectGood(page);
    await press(page, 'Edit');
    await page.getByLabel('Last name').fill('Jones');
    await press(page, 'Save Contact');
    await reads(page, ['Anna Jones']);
  });

  it('are told apart: a second one with the same address is refused at its field', async () => {
    const page = await visit(await peopled(1));
    await press(page, 'Add Contact');
    await page.getByLabel('Email', { exact: true }).fill('person001@example.com');
    await page.keyboard.press('Enter');
    const refusal = 'This is the email address of the contact Person 001';
    await toast(page, { title: 'Error saving contact', text: refusal });
    await page.locator('input[aria-invalid=true][type=email]').waitFor();
  });

  it('are asked about where their address looks mistyped, and refused where something in them cannot be seen', async () => {
    const page = await visit(await peopled(1));
    await press(page, 'Add Contact');
    await page.getByLabel('Email', { exact: true }).fill('anna@example..com');
    await reads(page, ['It has two dots in a row: is it mistyped?']);
    await expectGood(page);
    await page.getByLabel('Name', { exact: true }).fill('An\u200bna');
    await page.keyboard.press('Enter');
    await reads(page, ['has an invisible character at position 3: U+200B (zero-width space)']);
    await page.getByLabel('Name', { exact: true }).fill('Anna');
    await page.keyboard.press('Enter');
    await toast(page, { title: 'Contact added', text: 'Anna has been saved.' });
  });

  it('are deleted at once, one or several, and come back', async ({ expect }) => {
    const workspace = await peopled(5);
    const fields = {
      first_name: 'Person',
      last_name: '002',
      salutation: 'Ms',
      language: 'fr',
      preferred_channel: 'sms',
      note: 'Rings twice',
    };
    const contacts = [{ ...fields, email: 'person002@example.com' }];
    await fixture.ann.call('POST', '/api/contacts/batch', { workspace, body: { contacts } });
    const page = await visit(workspace);
    await press(page, 'Delete Person 002');
    await toast(page, { title: 'Contact deleted', text: 'Person 002 is deleted.' });
    await reads(page, ['4 shown']);
    await breakDown(page, '/api/contacts/batch');
    await press(page, 'Undo');
    await toast(page, { title: 'Error restoring contacts', text: outage });
    await restore(page);
    await press(page, 'Undo');
    await toast(page, { title: 'Contact restored', text: 'Person 002 is restored.' });
    const { data } = await fixture.call(workspace, { method: 'GET', path: '/api/contacts?search=person002' });
    expect(data).toMatchObject([{ ...fields, phone: '+4915112345002', variables: { amount: '002 €' } }]);
    await reads(page, ['5 shown']);

    await page.getByRole('checkbox', { name: 'Choose Person 001' }).press('Space');
    await page.getByRole('checkbox', { name: 'Choose Person 003' }).check();
    await reads(page, ['2 selected']);
    await expectGood(page);
    await press(page, 'Delete');
    await toast(page, { title: 'Contacts deleted', text: '2 contacts are deleted.' });
    await expect.poll(() => namesOf(page)).toEqual(['Person 002', 'Person 004', 'Person 005']);
    await page.getByRole('checkbox', { name: 'Choose all that are shown' }).check();
    await press(page, 'Delete');
    await reads(page, ['No contacts yet']);
    await page
      .locator('.mantine-Notification-root', { hasText: '3 contacts are deleted.' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await reads(page, ['3 shown']);
  });

  it('arrive in another tab by themselves', async () => {
    const workspace = await peopled(1);
    const page = await visit(workspace);
    await reads(page, ['Person 001']);
    await fixture.call(workspace, { path: '/api/contacts', body: { name: 'Somebody new' } });
    await reads(page, ['Somebody new']);
  });
});

describe.concurrent('the import of contacts', () => {
  const file = (text: string | Buffer) => ({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

  it('shows each line before anything is written, leaves out what is wrong, and says what was done', async ({
    expect,
  }) => {
    const workspace = await peopled(1);
    const page = await visit(workspace);
    await press(page, 'Import');
    await expectGood(page);
    // As Excel writes it on Windows.
    const rows =
      'Name;Email;Phone;Monthly rent\r\nZoë;zoe@example.com;0151 12345678;900 €\r\nBert;bert;;\r\nPerson;person001@example.com;;1\r\n';
    const windows = Buffer.from(rows.replace('€', '\u0080'), 'latin1');
    await page.locator('input[type=file]').setInputFiles(file(windows));
    await reads(page, ['people.csv']);
    await page.getByRole('combobox', { name: 'Country of numbers without a country code' }).fill('germ');
    await page.getByRole('option', { name: 'Germany (DE)' }).click();
    await press(page, 'Preview');
    await reads(page, [
      '1 new, 1 changed, 1 left out.',
      '1 line cannot be used, and is left out: line 3.',
      'Email: “bert” is not an email address',
      'Zoë · zoe@example.com · +4915112345678',
    ]);
    await expect
      .poll(() => page.getByRole('row').allInnerTexts())
      .toEqual([
        expect.stringContaining('Line'),
        expect.stringMatching(/^3\s+Left out/),
        expect.stringMatching(/^4\s+Changed.*\s+Is the contact Person 001 so far, and gets this name/),
        expect.stringMatching(/^2\s+New/),
      ]);
    expect((await fixture.ann.call('GET', '/api/contacts', { workspace })).json.data).toHaveLength(1);
    await expectGood(page);
    await page.getByRole('combobox', { name: 'Tags for everybody in the file' }).fill('House A');
    await page.keyboard.press('Enter');
    await page.getByText('House A', { exact: true }).waitFor();
    await press(page, 'Import 2 contacts');
    await toast(page, { title: 'Contacts imported', text: '1 new, 1 changed, 1 left out.' });
    await press(page, 'Done');
    await closed(page);
    await reads(page, ['Zoë', 'monthly_rent 900 €', 'House A']);
    await press(page, 'Import');
    const country = page.getByRole('combobox', { name: 'Country of numbers without a country code' });
    await expect.poll(() => country.inputValue()).toBe('Germany (DE)');
  });

  it('mixes no two people with one address unless that is chosen, and has whom it leaves out as a file', async ({
    expect,
  }) => {
    const workspace = await fixture.ann.createWorkspace(`Elm Row ${crypto.randomUUID().slice(0, 8)}`);
    const page = await visit(workspace);
    await press(page, 'Import a file');
    const lines = [
      'Anna Smith,home@example.com,,3',
      'Bert Jones,home@example.com,,3',
      'Cleo Kaya,home@example.com,+4915112345678,4',
      'Dora Okafor,,,5',
    ];
    await page.getByRole('textbox', { name: 'Contacts' }).fill(`Name,Email,Phone,Flat\n${lines.join('\n')}`);
    await press(page, 'Preview');
    const found = page.getByRole('list', { name: 'What to know of this file' });
    const findings = () =>
      found.getByRole('listitem').evaluateAll((all) => all.map(({ textContent }) => textContent.split(': ')[0]));
    await reads(page, [
      '2 new, 2 left out.',
      '1 person has neither an email address nor a phone number, and is left out: line 5.',
      /^2 lines have the address or number of somebody else in the file, who keeps it, and 1 of them is left out: lines 3 and 4\./,
    ]);
    await expectGood(page);
    await page.getByRole('row', { name: 'Bert Jones' }).getByRole('button', { name: 'Join with line 2' }).click();
    await reads(page, [
      '2 new, 1 joined with another line, 1 left out.',
      /^1 line is joined with somebody of another name/,
    ]);
    await found.getByRole('button', { name: 'Keep apart' }).click();
    await reads(page, ['2 new, 2 left out.']);
    await found.getByRole('button', { name: 'Join all' }).click();
    await reads(page, ['1 new, 2 joined with another line, 1 left out.']);
    await expect
      .poll(findings)
      .toEqual([
        '1 person has neither an email address nor a phone number, and is left out',
        '2 lines are joined with somebody of another name',
      ]);
    await page.getByRole('row', { name: 'Cleo Kaya' }).getByRole('button', { name: 'Keep apart' }).click();
    await reads(page, ['2 new, 1 joined with another line, 1 left out.']);
    await press(page, 'Import 2 contacts');
    await reads(page, [
      'Imported: 2 new, 1 joined with another line, 1 left out.',
      'Has neither an email address nor a phone number',
    ]);
    await expectGood(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the lines with problems' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('lines-with-problems.csv');
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toContain('Dora Okafor,,,5,5,Has neither an email address nor a phone number');
    const { json } = await fixture.ann.call('GET', '/api/contacts', { workspace });
    expect(json.data).toMatchObject([
      { name: 'Anna Smith', email: 'home@example.com', phone: null },
      { name: 'Cleo Kaya', email: null, phone: '+4915112345678' },
    ]);
  });

  it('has columns that can be corrected, and tells what is joined and what is left out', async ({ expect }) => {
    const workspace = await fixture.ann.createWorkspace(`Oak Lane ${crypto.randomUUID().slice(0, 8)}`);
    const page = await visit(workspace);
    await press(page, 'Import a file');
    const lines = [
      'Anna,anna@example.com,x@example.com,12,950',
      ',anna@example.com,,+4915112345678,',
      'Bert,bert@example.com,,,960',
    ];
    const text = page.getByRole('textbox', { name: 'Contacts' });
    await text.fill(`Mieter,Kontakt 1,Kontakt 2,Telefon,Miete\n${lines.join('\n')}`);
    await press(page, 'Preview');
    const columns = page.getByRole('group', { name: 'Columns' });
    await columns.getByText('anna@example.com · bert@example.com').waitFor();
    const chosen = (name: string) => columns.getByRole('combobox', { name: `${name} becomes` });
    const values = () =>
      columns.getByRole('combobox').evaluateAll((all) => all.map((one) => 'value' in one && one.value));
    await expect.poll(() => values()).toEqual(['Name', 'Email', 'Value', 'Phone', 'Value']);
    await reads(page, [
      '2 new, 1 joined with another line.',
      '1 line has a value that cannot be used, and comes without it: line 2.',
      'Joined with line 2, Anna',
      'Telefon: “12” is not a phone number with its country code, such as +491701234567',
    ]);
    await expectGood(page);
    await chosen('Kontakt 2').click();
    await page.getByRole('option', { name: 'Email' }).click();
    await reads(page, [
      '2 new, 1 left out.',
      '1 person has neither an email address nor a phone number, and is left out: line 4.',
    ]);
    await expect.poll(() => values()).toEqual(['Name', 'Leave out', 'Email', 'Phone', 'Value']);
    await chosen('Kontakt 1').click();
    await page.getByRole('option', { name: 'Email' }).click();
    await chosen('Miete').focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Tags' }).waitFor();
    await page.getByRole('option', { name: 'Tags' }).click();
    await reads(page, ['2 new, 1 joined with another line.']);
    await press(page, 'Import 2 contacts');
    await reads(page, ['Imported: 2 new, 1 joined with another line.']);
    const { json } = await fixture.ann.call('GET', '/api/contacts', { workspace });
    expect(json.data).toMatchObject([
      { name: 'Anna', email: 'anna@example.com', phone: '+4915112345678', tags: ['950'] },
      { name: 'Bert', tags: ['960'] },
    ]);
    await page.getByRole('button', { name: 'Undo import' }).waitFor();
    await expectGood(page);
    await page.route('**/undo', (route) =>
      route.request().method() === 'GET'
        ? route.continue()
        : route.fulfill({ status: 500, json: { error: { code: 'internal', message: outage, request_id: 'r-1' } } }),
    );
    await press(page, 'Undo import');
    await press(page, 'Delete 2 contacts');
    await toast(page, { title: 'Error undoing the import', text: outage });
    await page.unrouteAll();
    await press(page, 'Delete 2 contacts');
    await reads(page, ['The import is undone: 2 contacts deleted.']);
    await page.setViewportSize({ width: 390, height: 900 });
    await reads(page, ['The import is undone: 2 contacts deleted.']);
    await expect.poll(() => page.getByRole('button', { name: 'Undo import' }).count()).toBe(0);
    expect((await fixture.ann.call('GET', '/api/contacts', { workspace })).json.data).toEqual([]);
    await fixture.call(workspace, { path: '/api/contacts', body: { name: 'Bert', email: 'bert@example.com' } });
    await press(page, 'Done');
    await closed(page);
    await press(page, 'Import');
    await text.fill('Name,Email\nBert,bert@example.com');
    await press(page, 'Preview');
    await reads(page, ['1 unchanged. All of this is there already.', 'Nothing to import']);
  });

  it('says when other columns cannot be read, and keeps those that were', async ({ expect }) => {
    const page = await visit(fixture.empty);
    await press(page, 'Import a file');
    await page.getByRole('textbox', { name: 'Contacts' }).fill('Email,§\nanna@example.com,1');
    await press(page, 'Preview');
    const column = page.getByRole('combobox', { name: '§ becomes' });
    await column.click();
    await page.getByRole('option', { name: 'Value' }).click();
    await reads(page, ['Enter a name for this value']);
    await expect.poll(() => column.inputValue()).toBe('Leave out');
    await expectAccessible(page);
    await breakDown(page, '/api/contacts/import');
    await column.click();
    await page.getByRole('option', { name: 'Name', exact: true }).click();
    await reads(page, [outage]);
  });

  it('takes what is pasted, and says what no file can be read from', async ({ expect }) => {
    const page = await visit(fixture.empty);
    await press(page, 'Import a file');
    await expect.poll(() => page.getByRole('button', { name: 'Preview' }).isDisabled()).toBe(true);
    const text = page.getByRole('textbox', { name: 'Contacts' });
    await text.fill('Anna,anna@example.com\nBert,bert@example.com');
    await press(page, 'Preview');
    await reads(page, ['The first line must name the columns, an Email or a Phone column among them']);
    await page.locator('input[type=file]').setInputFiles(file('x'.repeat(2_000_001)));
    await reads(page, ['people.csv is larger than 2 MB']);
    await text.fill('Email\nnobody');
    await press(page, 'Preview');
    await expect.poll(() => page.getByRole('button', { name: 'Nothing to import' }).isDisabled()).toBe(true);
    await press(page, 'Back');
    await expect.poll(() => text.inputValue()).toBe('Email\nnobody');
  });

  it('has an export beside it', async () => {
    const page = await visit(await peopled(2));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^contacts-\d{4}-\d\d-\d\d\.csv$/);
    expect(await readFile(await download.path(), 'utf8')).toBe(
      '\uFEFFName,Salutation,First name,Last name,Email,Phone,Timezone,Language,Preferred channel,Note,amount\r\nPerson 001,,,,person001@example.com,+4915112345001,Europe/Berlin,,,,001 €\r\nPerson 002,,,,person002@example.com,+4915112345002,Europe/Berlin,,,,002 €\r\n',
    );
  });
});

describe.concurrent('the suppression list', () => {
  const path = '/contacts?tab=suppressed';

  it('says how somebody comes onto it while nobody is, and takes somebody in', async () => {
    const workspace = await peopled(1);
    const page = await visit(workspace);
    await page.getByRole('tab', { name: 'Suppressed' }).press('Enter');
    await reads(page, ['No suppressed recipients']);
    await expectGood(page);
    await press(page, 'Add a recipient');
    await page.getByLabel('Who').fill('Person');
    await page.keyboard.press('Enter');
    await reads(page, ['is not an email address, such as anna@example.com']);
    await expectGood(page);
    await page.getByLabel('Who').fill('vic\u2060tim@example.com');
    await page.keyboard.press('Enter');
    await reads(page, ['has an invisible character at position 4: U+2060 (word joiner)']);
    await page.getByLabel('Who').fill('PERSON001@example.com');
    await page.keyboard.press('Enter');
    await toast(page, {
      title: 'Added to the list',
      text: 'person001@example.com gets no more messages by Email.',
    });
    await closed(page);
    await reads(page, ['Person 001', 'person001@example.com', 'Added manually']);
  });

  it('is filtered by channel, reason and name; an admin takes somebody off it, told what that means', async ({
    expect,
  }) => {
    const workspace = await peopled(1);
    await fixture.owner.query(
      `insert into suppressions (workspace_id, channel, recipient, reason, covers, ends_at) values
         ($1, 'email', 'paused@example.com', 'paused', 'optional', '2099-12-04T23:00:00Z'),
         ($1, 'email', 'over@example.com', 'paused', 'optional', '2026-01-04')`,
      [workspace],
    );
    await fixture.owner.query(
      `insert into suppressions (workspace_id, channel, recipient, reason, created_at) values
         ($1, 'email', 'person001@example.com', 'unsubscribed', '2026-01-01'), ($1, 'email', 'gone@example.com', 'bounced', '2026-01-02'),
         ($1, 'sms', '+4915112345678', 'stopped', '2026-01-03'), ($1, 'webhook', $2, 'manual', '2026-01-04')`,
      [workspace, `https://example.com/${'long/'.repeat(60)}`],
    );
    const member = await fixture.signUp('Mo Member');
    await addMember(fixture.owner, { workspace, userId: member.userId, role: 'member' });
    const page = await visit(workspace, { path });
    await reads(page, ['Unsubscribed', 'Bounced', 'Answered STOP', 'Added manually', 'Paused', '5 shown']);
    await reads(page, [/^until Fri, 4 Dec 2099/]);
    await expectGood(page);
    await page.getByRole('combobox', { name: 'Filter by reason' }).click();
    await page.getByRole('option', { name: 'Bounced' }).click();
    await reads(page, ['1 shown', 'gone@example.com']);
    await page.getByRole('combobox', { name: 'Filter by channel' }).click();
    await page.getByRole('option', { name: 'SMS' }).click();
    await reads(page, ['No recipients found']);
    await press(page, 'Show the whole list');
    await page.getByRole('searchbox').fill('person 001');
    await reads(page, ['1 shown']);
    await press(page, 'Remove person001@example.com (email)');
    await page
      .getByText(/They unsubscribed by the link in a message. Continue only if they have asked for it/)
      .waitFor();
    await expectGood(page);
    await press(page, 'Remove from the list');
    await toast(page, {
      title: 'Removed from the list',
      text: 'person001@example.com can get messages by Email again.',
    });
    await reads(page, ['No recipients found']);
    await fixture.leave(page);

    const theirs = await visit(workspace, { path, as: member });
    await reads(theirs, ['4 shown', 'Add to the list']);
    await expect.poll(() => theirs.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
  });

  it('says when it cannot be had', async () => {
    const page = await visit(fixture.empty, { path, before: (opened) => breakDown(opened, '/api/suppressions') });
    await reads(page, ['Error loading the suppression list', outage]);
    await restore(page);
    await press(page, 'Retry');
    await reads(page, ['No suppressed recipients']);
  });

  it('is one step away from a delivery that was skipped for it', async () => {
    const workspace = await peopled(1);
    await fixture.call(workspace, {
      path: '/api/suppressions',
      body: { channel: 'email', recipient: 'person001@example.com' },
    });
    const reminder = await fixture.call(workspace, {
      path: '/api/reminders',
      body: {
        name: 'Rent',
        status: 'draft',
        schedule_config: { type: 'scheduled', scheduleType: 'daily', startDate: '2099-01-01T09:00:00' },
        content: { subject: 'Rent', message: 'Due', recipients: ['person001@example.com'] },
        metadata: { channels: ['email'] },
      },
    });
    const { job_id: job } = await fixture.call(workspace, {
      path: `/api/reminders/${reminder.id}/test`,
      body: { recipients: ['Person001@example.com'], subject: 'Rent', message: 'Due' },
    });
    const page = await visit(workspace, { path: `/jobs?job=${job}` });
    await page.getByRole('link', { name: 'See why' }).click();
    await reads(page, ['Added manually', '1 shown']);
  });
});

describe.concurrent('the recipients of a reminder', () => {
  /** Waits for the first: a tab of the form is fetched when it is opened. */
  const chips = async (page: Page): Promise<string[]> => {
    const written = page.getByRole('list', { name: 'Recipients' }).locator('li > span');
    await written.first().waitFor();
    return written.allInnerTexts();
  };
  const entry = (page: Page) => page.getByRole('combobox', { name: 'Recipients', exact: true });

  it('are chosen from the contacts by what is typed, with the keyboard, as the channels reach them', async ({
    expect,
  }) => {
    const page = await visit(await peopled(3), { path: '/reminders/new' });
    await page.getByRole('tab', { name: 'Channels' }).click();
    await entry(page).pressSequentially('person 00');
    await page.getByRole('option', { name: /Person 003/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await expectGood(page, [1440]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove person002@example.com' }).waitFor();
    expect([await entry(page).inputValue(), await chips(page)]).toEqual(['', ['person002@example.com']]);

    await page.getByRole('button', { name: /^SMS/ }).click();
    await entry(page).pressSequentially('0151 12345 001');
    await page.getByRole('option', { name: /Person 001/ }).click();
    await page.getByRole('button', { name: 'Remove +4915112345001' }).waitFor();
    await expect.poll(() => chips(page)).toEqual(['person002@example.com', 'person001@example.com', '+4915112345001']);

    await entry(page).pressSequentially('person003@example.com');
    await page.getByRole('option', { name: /Person 003/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option', { name: /Person 003/ }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove person003@example.com' }).waitFor();
    expect((await chips(page)).at(-1)).toBe('person003@example.com');
  });
});
