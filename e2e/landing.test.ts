import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listedPlans } from '#contract/plans.ts';
import { fillSlots } from '#http/pages.ts';
import type { Page as BuiltPage } from '#pages/render.tsx';
import { startTestCuebird, type TestCuebird } from '#testing/cuebird.ts';
import { sample } from '#testing/sample.ts';
import { expectGood, showIn } from './looks.ts';
import { sharedBrowser } from './pages.ts';
import { describeScreens, reads, shiftOf, type Visit } from './screens.fixture.ts';

const built = new URL('../dist/', import.meta.url);
const mostScriptBytes = 110_000;

const fixture = describeScreens();
let demo: TestCuebird;
beforeAll(async () => {
  demo = await startTestCuebird({
    env: { DEMO: 'on', SUPPORT_EMAIL: 'help@example.com', SUPPORT_PHONE: '+44 (0)113 496 0000' },
  });
});
afterAll(() => demo.stop());

const bar = (page: Page) => page.getByRole('banner');
const main = (page: Page) => page.getByRole('main');
const signedIn = (): Visit => ({ as: fixture.ann, workspace: fixture.full });

/** Opens the page and clicks what `target` finds there. */
async function follow(target: (page: Page) => ReturnType<Page['getByRole']>, visit: Visit = {}): Promise<Page> {
  const page = await fixture.open('/', visit);
  await target(page).click();
  return page;
}

const link = (name: string | RegExp) => (page: Page) => main(page).getByRole('link', { name });

describe.concurrent('the landing page of a stranger', () => {
  it('says what Cuebird is, and marks its voices as samples', async ({ expect }) => {
    const page = await fixture.open('/');
    await reads(page, [
      'Never Miss a Thing',
      'AI-powered scheduling',
      'Free 14-day trial, no credit card required, cancel anytime',
      'Smart Reminders',
      'Multi-Channel Delivery',
      'Automation Engine',
      'Team Collaboration',
      'Analytics Dashboard',
      'Enterprise Security',
    ]);
    await expect.poll(() => main(page).getByText('Sample', { exact: true }).count()).toBe(3);
    await expect
      .poll(() => bar(page).getByRole('link').allInnerTexts())
      .toEqual(expect.arrayContaining(['Features', 'Pricing', 'Contact', 'Docs', 'Sign In', 'Start Free Trial']));
  });

  it('has the list prices, and says below each what one pays', async ({ expect }) => {
    const page = await fixture.open('/');
    for (const { name, price, features, paid } of listedPlans) {
      const card = main(page)
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name, level: 3 }) });
      await reads(page, [...features]);
      await card.getByText(price === null ? 'Custom' : `$${price}`, { exact: true }).waitFor();
      await card.getByText(paid, { exact: true }).waitFor();
    }
    await main(page).getByText('Most Popular').waitFor();
    await expect.poll(() => main(page).getByText('payments are simulated').count()).toBe(1);
  });

  const sections = [
    ['Features', 'Everything a reminder needs'],
    ['Pricing', 'Pricing'],
    ['Contact', 'Contact'],
  ] as const;
  it.for(sample.draw(sections, { name: 'sections of the landing page', count: 1 }))(
    'leads to its section %s, below the bar',
    async ([name, title], { expect }) => {
      const page = await fixture.open('/');
      const heading = page.getByRole('heading', { level: 2, name: title, exact: true });
      const topOf = async () => (await heading.boundingBox())?.y ?? 0;
      const before = await topOf();
      await bar(page).getByRole('link', { name }).click();
      await expect.poll(topOf).toBeLessThan(Math.min(before, 700));
      expect(await topOf()).toBeGreaterThan(56);
    },
  );

  it('leads to the sign-in', async () => {
    const page = await follow((of) => bar(of).getByRole('link', { name: 'Sign In' }));
    await page.waitForURL('**/auth');
    await page.getByRole('tab', { name: 'Sign In', selected: true }).waitFor();
  });

  const links: [string, (page: Page) => ReturnType<Page['getByRole']>][] = [
    ['Start Free Trial of the bar', (page) => bar(page).getByRole('link', { name: 'Start Free Trial' })],
    ['the first Start Free Trial', (page) => link('Start Free Trial')(page).first()],
    ['the last Start Free Trial', (page) => link('Start Free Trial')(page).last()],
    ['Get Started of Starter', link('Get Started: Starter')],
    ['Get Started of Professional', link('Get Started: Professional')],
    ['Contact Sales of Enterprise', link('Contact Sales: Enterprise')],
  ];
  it.for(sample.draw(links, { name: 'links to the sign-up', count: 2 }))(
    'leads to the sign-up by %s',
    async ([, target]) => {
      const page = await follow(target);
      await page.waitForURL('**/auth?tab=sign-up');
      await page.getByRole('tab', { name: 'Sign Up', selected: true }).waitFor();
    },
  );

  it('leads from its badge to the line, which is read as it is typed', async ({ expect }) => {
    const page = await follow(link('AI-powered scheduling'));
    const line = page.getByRole('textbox', { name: 'Describe it in one line' });
    await expect.poll(() => line.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByText('Every month on the 1st at 09:00 (Europe/Berlin)').waitFor();
    await line.fill('Text +1 415 555 0134 every Friday at 16:00 London time that the week ends');
    await reads(page, ['Every Friday at 16:00 (Europe/London)', 'SMS', '+1 415 555 0134', 'The week ends.']);
    const times = page.getByRole('form', { name: 'A reminder in one line' }).locator('[data-times] li');
    await expect.poll(() => times.allInnerTexts()).toEqual(Array(3).fill(expect.stringMatching(/^Fri, .+ 16:00$/)));
    await line.fill('every other Tuesday');
    await expect.poll(() => page.locator('[data-remarks] li').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: /^Every first Monday at 9am New York time/ }).click();
    await reads(page, ['Every month on the first Monday at 09:00 (America/New_York)']);
  });

  it('takes its line through the sign-up into the form', async ({ expect }) => {
    const page = await follow(link('AI-powered scheduling'));
    const words = 'Email ann@example.com every 1st at 9am Berlin time that rent is due';
    await page.getByRole('textbox', { name: 'Describe it in one line' }).fill(words);
    await page.getByRole('button', { name: 'Set up this reminder' }).click();
    await page.waitForURL('**/auth?tab=sign-up');
    await reads(page, [`Your reminder waits: “${words}”`]);
    await expectGood(page);
    await page.getByLabel('Full name').fill('Lina Line');
    await page.getByLabel('Email').fill(`lina.${randomUUID()}@example.com`);
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
    await page.getByRole('heading', { name: /^Welcome to Cuebird, Lina/ }).waitFor();
    await page.getByLabel('Name').fill('Line Street');
    await page.getByRole('button', { name: 'Create Workspace' }).click();
    await page.getByRole('heading', { name: 'Create New Reminder' }).waitFor();
    await reads(page, ['Filled in below.']);
    await expect.poll(() => page.getByLabel('Describe it in one line').inputValue()).toBe(words);
    // It is asked for once.
    await page.goto(new URL('/dashboard', page.url()).href);
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  });

  it('takes its line of somebody who is signed in straight into the form', async () => {
    const page = await follow(link('AI-powered scheduling'), signedIn());
    await page.getByRole('textbox', { name: 'Describe it in one line' }).fill('every Friday at 4pm');
    await page.getByRole('button', { name: 'Set up this reminder' }).click();
    await page.getByRole('heading', { name: 'Create New Reminder' }).waitFor();
    await reads(page, ['Filled in below.']);
  });

  it('shows the tour where there is no demo', async () => {
    const page = await follow(link('Watch Demo'));
    const tour = page.getByRole('dialog', { name: 'Cuebird in four steps' });
    await tour.getByText('See what happened').waitFor();
    await expectGood(page);
    await tour.getByRole('button', { name: 'Close' }).click();
    await tour.waitFor({ state: 'hidden' });
  });

  it.for(sample.draw([0, 1], { name: 'buttons to a demo', count: 1 }))(
    'takes a request for a demo from button %s, which administrators read',
    async (which) => {
      const page = await follow((of) => link('Schedule Demo')(of).nth(which));
      const form = page.getByRole('dialog', { name: 'Schedule Demo' });
      const name = `Rosa ${crypto.randomUUID().slice(0, 8)}`;
      await form.getByRole('textbox', { name: 'Name' }).fill(name);
      await form.getByRole('textbox', { name: 'Email' }).fill('rosa@example');
      await form.getByRole('textbox', { name: 'What would you like to see?' }).fill('Rent reminders');
      await form.getByRole('button', { name: 'Ask for a demo' }).click();
      await form.getByText('Enter an email address').waitFor();
      await form.getByRole('textbox', { name: 'Email' }).fill('rosa@example.com');
      await expectGood(page);
      await form.getByRole('button', { name: 'Ask for a demo' }).click();
      await form.getByText('Your request has arrived').waitFor();
      await fixture.leave(page);

      const ada = await fixture.signUp('Ada Hill');
      await ada.createWorkspace('Head Office');
      await fixture.owner.query('update profiles set is_system_admin = true where id = $1', [ada.userId]);
      const console = await fixture.open('/admin?tab=demo-requests', { as: ada });
      await reads(console, [name, 'rosa@example.com', 'Rent reminders']);
      if (which === 0) await expectGood(console);
    },
  );

  it('leaves out address and number where there are none', async ({ expect }) => {
    const page = await fixture.open('/');
    const contact = page.getByRole('region', { name: 'Contact' });
    await expect.poll(() => contact.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(['Schedule Demo']);
  });

  it('looks good at every width in both schemes, and nothing moves while it loads', async ({ expect }) => {
    const page = await fixture.open('/');
    await page
      .getByText(/^\w{3}, 1 \w{3} \d{4}, 09:00$/)
      .first()
      .waitFor();
    expect(await shiftOf(page)).toBe(0);
    await expectGood(page);
    await showIn(page, 'dark');
    await expect.poll(() => page.locator('.only-light').first().isVisible()).toBe(false);
  });

  it('can be read, and opened, without a script', async () => {
    const context = await (await sharedBrowser()).newContext({ baseURL: fixture.url, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto('/');
    await reads(page, ['Never Miss a Thing', 'Every month on the 1st at 09:00 (Europe/Berlin)']);
    await link('Watch Demo')(page).click();
    await page.getByRole('dialog').getByText('See what happened').waitFor();
    await context.close();
  });
});

describe.concurrent('the landing page of somebody who is signed in', () => {
  it('leads to the dashboard, and offers no sign-up', async ({ expect }) => {
    const page = await fixture.open('/', signedIn());
    await expect
      .poll(() => page.getByRole('link', { name: /Sign In|Start Free Trial|Get Started|Contact Sales/ }).count())
      .toBe(0);
    await expectGood(page);
    await bar(page).getByRole('link', { name: 'My Dashboard' }).click();
    await page.waitForURL('**/dashboard');
    await page.goBack();
    await link('My Dashboard')(page).first().click();
    await page.waitForURL('**/dashboard');
  });

  it.for(sample.draw(listedPlans, { name: 'plans to the billing page', count: 1 }))(
    'leads from $name to the billing page',
    async ({ name }) => {
      const page = await follow(link(`Upgrade Plan: ${name}`), signedIn());
      await page.waitForURL('**/billing');
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  );

  it('shows the tour, and leaves the account as it is', async () => {
    const page = await follow(link('Watch Demo'), signedIn());
    await page.getByRole('dialog', { name: 'Cuebird in four steps' }).waitFor();
  });

  it('is where the page that does not exist leads', async () => {
    const page = await fixture.open('/nowhere', signedIn());
    await page.getByRole('link', { name: 'Return to Home' }).click();
    await bar(page).getByRole('link', { name: 'My Dashboard' }).waitFor();
  });
});

describe('the landing page of an installation with a demo and support', () => {
  it('leads into a demo of one’s own, which leads to the sign-up, and to support', async ({ expect }) => {
    const context = await (await sharedBrowser()).newContext({ baseURL: demo.url });
    const page = await context.newPage();
    await page.goto('/');
    const contact = page.getByRole('region', { name: 'Contact' });
    const addresses = await contact
      .getByRole('link')
      .evaluateAll((links) => links.map((one) => one.getAttribute('href')));
    expect(addresses.slice(0, 2)).toEqual(['mailto:help@example.com', 'tel:+441134960000']);
    await link('Watch Demo')(page).click();
    await page.waitForURL('**/dashboard');
    await page.getByRole('button', { name: 'Workspace: Elm & Harbour Properties' }).waitFor();
    const bar = page.getByRole('region', { name: 'Demo' });
    await expect.poll(() => bar.innerText()).toContain('sends into the Inbox only');
    await expectGood(page);
    await demo.owner.query('update workspaces set demo_spent_at = now() where demo_until is not null');
    await page.reload();
    await expect.poll(() => bar.innerText()).toContain('It has sent the 2,000 messages that a demo may send');
    await expectGood(page);
    await bar.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('tab', { name: 'Sign Up', selected: true }).waitFor();
    await context.close();
  });
});

/** For who is not signed in. */
async function builtLanding(): Promise<string> {
  const pages: BuiltPage[] = JSON.parse(await readFile(new URL('pages.json', built), 'utf8'));
  return pages.find(({ path, readers }) => path === '/' && readers === 'signed-out')?.html ?? '';
}

describe('the build of the landing page', () => {
  it('names its address and its card for search engines and other sites', async () => {
    const page = fillSlots(await builtLanding(), {
      appUrl: 'https://cuebird.example.com',
      supportEmail: null,
      supportPhone: null,
      supportPhoneDigits: null,
      demoPath: null,
      priceNote: null,
      billing: null,
      operatorName: null,
      operatorAddress: null,
      year: '2026',
      statusState: null,
      statusHeadline: null,
      statusTroubles: null,
    });
    expect(page).toContain('<link rel="canonical" href="https://cuebird.example.com/"/>');
    expect(page).toContain('<meta property="og:image" content="https://cuebird.example.com/social-card.jpg"/>');
    expect(page).not.toMatch(/when-set|unless-set|\[\[/);
  });

  it('loads at most 110 kB of compressed JavaScript, and at most 30 kB of the typeface', async () => {
    const page = await builtLanding();
    const files = await readdir(new URL('web/assets/', built));
    const needed = new Set([...page.matchAll(/\/assets\/([\w.-]+\.js)/g)].map(([, name = '']) => name));
    let bytes = gzipSync(await readFile(new URL('web/theme.js', built))).length;
    for (const name of needed) {
      const code = await readFile(new URL(`web/assets/${name}`, built), 'utf8');
      bytes += gzipSync(code).length;
      // What it loads later counts as well.
      for (const other of files) if (other.endsWith('.js') && code.includes(other)) needed.add(other);
    }
    expect(needed.size).toBeGreaterThan(2);
    expect(bytes).toBeLessThan(mostScriptBytes);
    const fonts = new Set([...page.matchAll(/\/assets\/([\w.-]+\.woff2)/g)].map(([, name = '']) => name));
    expect(fonts.size).toBe(1);
    for (const name of fonts)
      expect((await readFile(new URL(`web/assets/${name}`, built))).length).toBeLessThan(30_000);
  });
});
