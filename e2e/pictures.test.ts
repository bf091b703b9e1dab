import { readFile, writeFile } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pictures } from '#landing/pictures/pictures.ts';
import type { TestPerson } from '#testing/cuebird.ts';
import { sharedBrowser } from './pages.ts';
import { installExample } from './pictures.fixture.ts';
import { cookiesOf, type Fixture, openFixture } from './screens.fixture.ts';

/** `npm run pictures` sets it: the pictures are taken anew, not compared. */
const isTaking = process.env.TAKE_PICTURES === 'yes';
const folder = new URL('../src/web/public/', import.meta.url);
const schemes = ['light', 'dark'] as const;

/** Of the cells of a picture, so many may differ: a browser may draw an edge in another way. */
const mostDifferent = 0.01;
const mostBytes = 90_000;

let fixture: Fixture;
let person: TestPerson;
let example: Awaited<ReturnType<typeof installExample>>;
beforeAll(async () => {
  fixture = await openFixture();
  person = await fixture.signUp('Dana Whitfield');
  example = await installExample(fixture.owner, person);
});
afterAll(() => fixture.close());

it.each(pictures.flatMap(({ name }) => schemes.map((scheme) => ({ name, scheme }))))(
  'the picture “$name” shows the screen as it is, in its $scheme scheme',
  async ({ name, scheme }) => {
    const { path, shows, from } = example.screens[name];
    const page = await openPage({
      colorScheme: scheme,
      viewport: { width: 960, height: 600 },
      deviceScaleFactor: 1.25,
    });
    await page.context().addCookies(cookiesOf(person, fixture.url));
    await page.goto(path);
    await page.getByText(shows).first().waitFor();
    if (from !== null) await page.getByRole('heading', { name: from }).evaluate((heading) => heading.scrollIntoView());
    await expectPicture(page, { file: `pictures/${name}.${scheme}.webp`, format: 'webp' });
  },
);

it('the social card shows the landing page as it is', async () => {
  const page = await openPage({ colorScheme: 'light', viewport: { width: 1200, height: 630 } });
  await page.goto('/');
  await page.getByText(/^\w{3}, 1 Apr 2026, 09:00$/).waitFor();
  await expectPicture(page, { file: 'social-card.jpg', format: 'jpeg' });
});

async function openPage(own: BrowserContextOptions): Promise<Page> {
  const context = await (await sharedBrowser()).newContext({
    baseURL: fixture.url,
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    ...own,
  });
  await context.addInitScript((id) => localStorage.setItem('cuebird.workspace', id), example.workspace);
  const page = await context.newPage();
  await page.clock.setFixedTime(example.now);
  return page;
}

type Picture = { file: string; format: 'webp' | 'jpeg' };

/** Compares what the page shows with the committed picture, or takes that anew. */
async function expectPicture(page: Page, { file, format }: Picture): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => {}));
  const session = await page.context().newCDPSession(page);
  // WebP is offered by the browser's protocol only.
  const { data } = await session.send('Page.captureScreenshot', { format, quality: 80 });
  const now = Buffer.from(data, 'base64');
  if (isTaking) await writeFile(new URL(file, folder), now);
  const committed = await readFile(new URL(file, folder));
  expect(committed.length).toBeLessThan(mostBytes);
  expect(await differenceOf(page, [committed, now]), 'run npm run pictures').toBeLessThan(mostDifferent);
  await page.context().close();
}

/** The share of cells of 8 by 8 pixels whose colours differ visibly. */
const differenceOf = (page: Page, images: readonly [Buffer, Buffer]): Promise<number> =>
  page.evaluate(
    async (sources) => {
      const [width, height] = [150, 94];
      const [one, other] = await Promise.all(
        sources.map(async (base64) => {
          const image = new Image();
          image.src = `data:;base64,${base64}`;
          await image.decode();
          const canvas = new OffscreenCanvas(width, height).getContext('2d');
          canvas?.drawImage(image, 0, 0, width, height);
          return canvas?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
        }),
      );
      let different = 0;
      for (let at = 0; at < width * height * 4; at += 4)
        if ([0, 1, 2].some((part) => Math.abs((one?.[at + part] ?? 0) - (other?.[at + part] ?? 255)) > 32))
          different += 1;
      return different / (width * height);
    },
    images.map((image) => image.toString('base64')),
  );
