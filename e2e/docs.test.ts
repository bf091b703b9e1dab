import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, describe, it } from 'vitest';
import { docsPages, docsPath } from '#contract/docs-pages.ts';
import { closeServers, listening, onClose } from '#testing/tcp-server.ts';
import { walks } from '#pages/docs/walks/walks.ts';
import { sample } from '#testing/sample.ts';
import { expectGood } from './looks.ts';
import { sharedBrowser } from './pages.ts';
import { expectFits, describeScreens, reads, shiftOf } from './screens.fixture.ts';

const fixture = describeScreens();
afterAll(async () => {
  closeServers();
});

/** The same pages in pieces of 1,500 bytes, each of which comes when the test says so. It ends with the file's tests. */
async function slowServer(url: string) {
  let send = (): boolean => false;
  const server = createServer(async ({ url: path = '' }, response) => {
    const answer = await fetch(`${url}${path}`);
    const body = Buffer.from(await answer.arrayBuffer());
    response.setHeader('content-type', answer.headers.get('content-type') ?? '');
    if (!path.startsWith('/docs/')) return response.end(body);
    // Nothing is painted of a page before its body.
    let sent = body.indexOf('<main');
    response.write(body.subarray(0, sent));
    send = () => {
      response.write(body.subarray(sent, (sent += 1500)));
      if (sent >= body.length) response.end();
      return sent < body.length;
    };
  });
  const { port } = await listening(server, () => server.listen(0, '127.0.0.1'));
  onClose(() => server.close().closeAllConnections());
  return {
    url: `http://127.0.0.1:${port}`,
    /** Resolves when the page has painted the piece. @returns whether there is more */
    async sendPiece(page: Page): Promise<boolean> {
      const before = await page.evaluate(lengthOfPage);
      const hasMore = send();
      await page.waitForFunction((length) => document.documentElement.outerHTML.length > length, before);
      await page.evaluate(paint);
      return hasMore;
    },
  };
}

/** Run in the page. */
const lengthOfPage = () => document.documentElement.outerHTML.length;
const paint = () =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  });

/** Opens a page of the slow server, in which CSS animations run this many times as fast. */
async function openSlowly(path: string, { width, speed }: { width: 390 | 1440; speed: number }) {
  const slow = await slowServer(fixture.url);
  const page = await fixture.open('/docs', { width });
  const session = await page.context().newCDPSession(page);
  await session.send('Animation.enable');
  await session.send('Animation.setPlaybackRate', { playbackRate: speed });
  await page.goto(`${slow.url}${path}`, { waitUntil: 'commit' });
  return { page, slow };
}

const hiddenTables = (page: Page) =>
  page
    .locator('.table')
    .evaluateAll((all) => all.filter((one) => getComputedStyle(one).visibility === 'hidden').length);

const field = (page: Page) => page.getByRole('searchbox', { name: 'Search the documentation' });
const caption = (page: Page) => page.getByRole('region', { name: 'Make a reminder' }).locator('figcaption:visible');

describe.concurrent('the documentation', () => {
  const looked = ['/docs', '/docs/tutorials', '/docs/getting-started', '/docs/phrases', '/docs/events'];
  it.for(sample.draw(looked, { name: 'pages of the documentation', count: 2 }))(
    '%s looks good at every width in both schemes, and nothing moves while it loads',
    async (path, { expect }) => {
      const page = await fixture.open(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await shiftOf(page)).toBe(0);
      await expectGood(page);
      await fixture.leave(page);
    },
  );

  const slowly = [
    { path: '/docs/phrases', width: 1440 },
    { path: '/docs/security', width: 390 },
  ] as const;
  it.for(sample.draw(slowly, { name: 'pages over a slow connection', count: 1 }))(
    '$path does not move at $width px while a slow connection brings it',
    async ({ path, width }, { expect }) => {
      const { page, slow } = await openSlowly(path, { width, speed: 0 });
      const hidden = [];
      while (await slow.sendPiece(page)) hidden.push(await hiddenTables(page));
      await page.waitForLoadState();
      expect(await shiftOf(page)).toBe(0);
      // One at a time was still coming.
      expect(new Set(hidden)).toEqual(new Set([0, 1]));
      expect(await hiddenTables(page)).toBe(0);
      await fixture.leave(page);
    },
  );

  it('shows what has come of a table when nothing more comes', async ({ expect }) => {
    const { page, slow } = await openSlowly('/docs/phrases', { width: 1440, speed: 1_000 });
    while ((await page.locator('.table td').count()) === 0) await slow.sendPiece(page);
    expect(await page.locator('.table-end').count()).toBe(0);
    await expect.poll(() => hiddenTables(page)).toBe(0);
  });

  it('fits a phone on every page', async () => {
    const page = await fixture.open('/docs', { width: 390 });
    for (const { name } of sample.draw(docsPages, { name: 'pages on a phone', count: docsPages.length / 3 })) {
      await page.goto(docsPath(name));
      await expectFits(page);
    }
  });

  it('is read from page to page, and says where it is', async ({ expect }) => {
    const page = await fixture.open('/docs');
    await page.getByRole('main').getByRole('link', { name: 'Getting started' }).first().click();
    await page.waitForURL('**/docs/getting-started');
    await page.getByRole('link', { name: 'Next Reminders and schedules' }).click();
    await page.waitForURL('**/docs/reminders');
    const current = page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current]');
    await expect.poll(() => current.innerText()).toBe('Reminders and schedules');
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Sending hours' }).click();
    await page.waitForURL('**#sending-hours');
    const top = async () => (await page.locator('#sending-hours').boundingBox())?.y ?? 0;
    await expect.poll(top).toBeLessThan(700);
    expect(await top()).toBeGreaterThan(56);
  });

  it('is searched by the keyboard, without asking a server for each letter', async ({ expect }) => {
    const page = await fixture.open('/docs');
    await field(page).waitFor();
    await page.keyboard.press('/');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.keyboard.type('cron expr');
    const results = page.getByRole('search').getByRole('listitem');
    await results.first().waitFor();
    expect(asked.filter((url) => !url.includes('/assets/docs-search-'))).toEqual([]);
    await expectGood(page, [390, 1440]);
    await field(page).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/phrases#cron-expressions');
    await field(page).fill('xylophone');
    await reads(page, ['Nothing is found for “xylophone”.']);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByText('Nothing is found').isVisible()).toBe(false);
  });

  it('shows the test of each guarantee to whoever wants it', async ({ expect }) => {
    const page = await fixture.open('/docs/delivery-guarantees');
    const proof = page.getByText('src/engine/delivery.test.ts').first();
    await expect.poll(() => proof.isVisible()).toBe(false);
    await page.getByText('How this page is tested').click();
    await page.getByRole('checkbox', { name: 'Show the test that proves each line' }).check();
    await proof.waitFor();
  });

  it('can be read without a script, with all steps of the walk-throughs, and so can privacy and terms', async ({
    expect,
  }) => {
    const context = await (await sharedBrowser()).newContext({ baseURL: fixture.url, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto('/docs/tutorials');
    for (const { caption } of walks.flatMap(({ steps }) => steps)) await page.getByText(caption).waitFor();
    await expect.poll(() => page.getByRole('button').count()).toBe(0);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Plans' }).click();
    await reads(page, ['What is enforced']);
    await expect.poll(() => field(page).count()).toBe(0);
    await page.goto('/privacy');
    await reads(page, [/You get a reply within 30 days/]);
    await page.goto('/terms');
    await reads(page, [/The goal is 99\.9% uptime/]);
    await context.close();
  });
});

describe.concurrent('a walk-through', () => {
  const region = (page: Page) => page.getByRole('region', { name: 'Make a reminder' });
  const step = async (page: Page) => /Step (\d)/.exec(await caption(page).innerText())?.[1];

  it('goes by hand: by its buttons and by the arrow keys, and not beyond its ends', async ({ expect }) => {
    const page = await fixture.open('/docs/tutorials');
    const last = String(walks[0]?.steps.length);
    await region(page).getByRole('button', { name: 'Next' }).click();
    await expect.poll(() => step(page)).toBe('2');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => step(page)).toBe('3');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => step(page)).toBe(last);
    await region(page).getByRole('button', { name: 'Previous' }).click();
    await expect.poll(() => step(page)).toBe(String(Number(last) - 1));
    // The system asks for less motion here.
    expect(
      await region(page)
        .getByRole('button', { name: /Play|Pause/ })
        .count(),
    ).toBe(0);
  });

  it('plays, pauses and plays again', async ({ expect }) => {
    const page = await fixture.open('/docs/tutorials', {
      own: { baseURL: fixture.url, reducedMotion: 'no-preference' },
      before: (of) => of.clock.install(),
    });
    const button = (name: string) => region(page).getByRole('button', { name, exact: true });
    await button('Play').click();
    await page.clock.runFor(10_000);
    await expect.poll(() => step(page)).not.toBe('1');
    await button('Pause').click();
    const paused = await step(page);
    await page.clock.runFor(30_000);
    expect(await step(page)).toBe(paused);
    await button('Play').click();
    await page.clock.runFor(60_000);
    await expect.poll(() => step(page)).toBe(String(walks[0]?.steps.length));
    await button('Play again').click();
    await expect.poll(() => step(page)).toBe('1');
  });
});

describe.concurrent('the way to the documentation', () => {
  const links = [
    { from: '/support', name: 'Documentation', to: '/docs' },
    { from: '/support', name: 'Video tutorials', to: '/docs/tutorials' },
    { from: '/', name: 'Docs', to: '/docs' },
    { from: '/terms', name: 'privacy policy', to: '/privacy' },
  ];
  it.for(sample.draw(links, { name: 'links to the documentation', count: 2 }))(
    'leads from $from by “$name” to $to',
    async ({ from, name, to }) => {
      const page = await fixture.open(from);
      await page.getByRole('link', { name, exact: true }).first().click();
      await page.waitForURL(`**${to}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  );
});
