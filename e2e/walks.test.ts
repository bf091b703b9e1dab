import { readFile, writeFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pictureOf, type Spot, spotOf, walks } from '#pages/docs/walks/walks.ts';
import type { TestPerson } from '#testing/cuebird.ts';
import { expectPicture, isTaking, openForPicture } from './picture.ts';
import { describeScreens } from './screens.fixture.ts';

const now = '2026-03-02T09:30:00Z';
const size = { width: 960, height: 600 };
const job = '019c9d52-a400-7c3e-9f41-6b8a0d2e7c16';
const spotsFile = new URL('../src/pages/docs/walks/spots.json', import.meta.url);

const fixture = describeScreens();
let person: TestPerson;
let workspace: string;
let contact: string;
beforeAll(async () => {
  person = await fixture.signUp('Dana Whitfield');
  workspace = await person.createWorkspace('Elm & Harbour Properties');
  // One after the other: in a batch their order differs from run to run, and with it whose message the form shows.
  for (const tenant of tenants) await post('/api/contacts', tenant);
  await post('/api/contact-groups', {
    name: 'Elm Street',
    rule: { match: 'all', conditions: [{ test: 'is', variable: 'building', value: '12 Elm' }] },
  });
  const { json } = await person.call('GET', '/api/contacts?search=Amara', { workspace });
  contact = json.data[0].id;
  await insertFailedJob();
});

const names = ['Amara Nwosu', 'Jonas Okafor', 'Lucía Romero', 'Maya Fischer', 'Tomasz Zieliński', 'Priya Raman'];
const addressOf = (name: string) =>
  `${name
    .normalize('NFD')
    .replaceAll(/[^a-z ]/gi, '')
    .toLowerCase()
    .replace(' ', '.')}@example.com`;
const tenants = names.map((name, at) => ({
  name,
  email: addressOf(name),
  variables: { building: at % 3 === 2 ? '7 Oak' : '12 Elm' },
}));

async function post(path: string, body: object): Promise<void> {
  const { json } = await person.call('POST', path, { workspace, body });
  expect(json.error).toBeUndefined();
}

const content = {
  subject: 'Rent is due',
  message: 'Dear {{recipient_name}}, your rent is due on the 1st.',
  recipients: names.map(addressOf),
};

/** Of yesterday by the clock of the pictures: one of five addresses does not exist. */
async function insertFailedJob(): Promise<void> {
  const at = '2026-03-01T08:00:00Z';
  await fixture.owner.query(
    `insert into jobs (id, workspace_id, name, type, status, scheduled_for, run_at, created_at, updated_at, started_at, completed_at, attempts,
                       error_message, payload)
     values ($3, $1, 'Rent is due', 'api_notification', 'failed', $2, $2, $2, $2, $2, $2::timestamptz + interval '4 seconds', 1,
             '1 of 5 failed: 550 5.1.1 User unknown', $4)`,
    [workspace, at, job, JSON.stringify({ channels: ['email'], content, recipients: content.recipients })],
  );
  for (const [index, name] of names.slice(0, 5).entries())
    await fixture.owner.query(
      `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, attempts, reason, reason_code, provider,
                               provider_answer, first_attempt_at, last_attempt_at, completed_at)
       values ($1, $2, $3, 'email', $4, $5, $6, 1, $7, case when $7::text is not null then 'no_such_address' end, 'smtp', $8, $3, $3, $3::timestamptz + $9 * interval '150 milliseconds')`,
      index === 0
        ? [workspace, job, at, addressOf(name), name, 'failed', '550 5.1.1 User unknown', '550 5.1.1 User unknown', 2]
        : [
            workspace,
            job,
            at,
            addressOf(name),
            name,
            'delivered',
            null,
            `250 2.0.0 Ok: queued as 4Xk2${index}`,
            index + 2,
          ],
    );
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const tab = (page: Page, name: string) => page.getByRole('tab', { name });
const whoGetsIt = (page: Page) => page.getByRole('group', { name: 'Who gets it' });

async function choose(page: Page, { of, name }: { of: string; name: string }): Promise<void> {
  await page.getByRole('combobox', { name: of, exact: true }).click();
  await page.getByRole('option', { name, exact: true }).click();
}

/** What somebody does before each step, and what the step is about. */
const done: Record<string, (page: Page) => Promise<Locator>> = {
  async 'make-a-reminder-create'(page) {
    await page.goto('/reminders');
    await page.getByText('No reminders found').waitFor();
    return page.getByRole('link', { name: 'Create Reminder' }).first();
  },
  async 'make-a-reminder-line'(page) {
    await page.getByRole('link', { name: 'Create Reminder' }).first().click();
    await page
      .getByLabel('Describe it in one line')
      .fill('Email the Elm Street group every 1st at 9am that rent is due');
    await page.getByRole('list', { name: 'Next times' }).getByRole('listitem').first().waitFor();
    return page.getByRole('region', { name: 'In one line' });
  },
  async 'make-a-reminder-filled'(page) {
    await button(page, 'Fill in').click();
    await page.getByText('Filled in below.').first().waitFor();
    return page.getByRole('tablist');
  },
  async 'make-a-reminder-message'(page) {
    await tab(page, 'Content').click();
    await page.getByLabel('Message').fill('Dear {{recipient_name}}, your rent for 12 Elm Street is due on the 1st.');
    await page.getByText(/^Dear [^,]+, your rent for 12 Elm Street is due on the 1st\.$/).waitFor();
    await page.getByRole('group', { name: 'Who it reaches' }).getByText('4 get it').waitFor();
    await whoGetsIt(page).getByText('4 get it').waitFor();
    return page.getByLabel('Message');
  },
  async 'make-a-reminder-reach'(page) {
    await whoGetsIt(page).getByText('4 get it').waitFor();
    return whoGetsIt(page);
  },
  'make-a-reminder-save': async (page) => button(page, 'Create Reminder'),
  async 'message-a-group-contacts'(page) {
    await page.goto('/contacts');
    await page.getByText('Priya Raman').waitFor();
    return tab(page, 'Groups');
  },
  async 'message-a-group-rule'(page) {
    await tab(page, 'Groups').click();
    await button(page, 'Add Group').click();
    await page.getByLabel('Name', { exact: true }).fill('Oak Avenue');
    await choose(page, { of: 'Condition 1: what', name: 'building' });
    await page.getByLabel('Condition 1: value').fill('7 Oak');
    const members = page.getByText(/^2 people: /);
    await members.waitFor();
    return members;
  },
  async 'message-a-group-group'(page) {
    await page.getByRole('dialog').getByRole('button', { name: 'Add Group' }).click();
    const row = page.getByRole('list', { name: 'Groups' }).getByRole('listitem').filter({ hasText: 'Oak Avenue' });
    await row.getByText('2 people').waitFor();
    return row;
  },
  async 'message-a-group-people'(page) {
    await page.goto('/reminders/new?tab=channels');
    await choose(page, { of: 'People', name: 'Oak Avenue' });
    await page.keyboard.press('Escape');
    await whoGetsIt(page).getByText('2 get it').waitFor();
    return page.getByRole('combobox', { name: 'People', exact: true });
  },
  async 'message-a-group-counted'(page) {
    await whoGetsIt(page)
      .getByText(/2 get it/)
      .waitFor();
    return whoGetsIt(page);
  },
  async 'see-and-mend-failed'(page) {
    await page.goto('/jobs');
    await page.getByText('Rent is due').first().waitFor();
    const failed = button(page, /^Failed\s*1$/);
    await failed.waitFor();
    return failed;
  },
  async 'see-and-mend-recipients'(page) {
    await page.getByRole('link', { name: 'Rent is due' }).first().click();
    const failed = page.getByRole('region', { name: 'Recipients' }).getByRole('listitem').first();
    await failed.getByText('Amara Nwosu').waitFor();
    return failed;
  },
  async 'see-and-mend-reason'(page) {
    const failed = page.getByRole('region', { name: 'Recipients' }).getByRole('listitem').first();
    await failed.getByRole('button', { name: /Amara Nwosu/ }).click();
    await failed.getByText('Attempt 1').waitFor();
    await failed.locator('iframe').waitFor();
    return failed;
  },
  async 'see-and-mend-contact'(page) {
    await page.goto(`/contacts/${contact}`);
    await page.getByText('No active reminder is sent to them.').waitFor();
    await page.getByText('This address does not exist.').waitFor();
    return button(page, 'Edit');
  },
  async 'see-and-mend-retry'(page) {
    await page.goto(`/jobs?job=${job}`);
    await page.getByRole('region', { name: 'Recipients' }).getByRole('listitem').first().waitFor();
    return page.getByRole('dialog').getByRole('button', { name: /^Retry/ });
  },
};

/** With some space around it, in hundredths of the picture. */
async function spotIn(target: Locator): Promise<Spot> {
  await target.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, ...size };
  const share = (part: number, whole: number) => Math.round((part / whole) * 1_000) / 10;
  const [left, top] = [Math.max(0, x - 6), Math.max(0, y - 6)];
  const right = Math.min(size.width, x + width + 6);
  const bottom = Math.min(size.height, y + height + 6);
  return [
    share(left, size.width),
    share(top, size.height),
    share(right - left, size.width),
    share(bottom - top, size.height),
  ];
}

const taken: Record<string, Spot> = {};
afterAll(async () => {
  if (!isTaking) return;
  const kept = JSON.parse(await readFile(spotsFile, 'utf8'));
  const lines = Object.entries({ ...kept, ...taken }).map(
    ([name, spot]) => `  "${name}": [${(spot as Spot).join(', ')}]`,
  );
  await writeFile(spotsFile, `{\n${lines.join(',\n')}\n}\n`);
});

it.each(walks)(
  'the walk-through “$title” can be gone in the product, and its pictures are those screens',
  async (walk) => {
    const page = await openForPicture(
      { url: fixture.url, as: person, workspace, now },
      { colorScheme: 'light', viewport: size },
    );
    for (const step of walk.steps) {
      const name = pictureOf(walk, step);
      const target = (await done[name]?.(page)) ?? page.locator('body');
      const farthest = async () => {
        const spot = await spotIn(target);
        return Math.max(...spotOf(walk, step).map((part, at) => Math.abs(part - spot[at]!)));
      };
      if (isTaking) taken[name] = await spotIn(target);
      else await expect.poll(farthest, { message: name }).toBeLessThan(2);
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor();
        await expectPicture(page, { file: `pictures/walks/${name}.${scheme}.webp`, format: 'webp' });
      }
      await page.emulateMedia({ colorScheme: 'light' });
    }
    await page.context().close();
  },
);
