import { readFile, writeFile } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestPerson } from '#testing/cuebird.ts';
import { sharedBrowser } from './pages.ts';
import { cookiesOf } from './screens.fixture.ts';

/** `npm run pictures` sets it: the pictures are taken anew, not compared. */
export const isTaking = process.env.TAKE_PICTURES === 'yes';

const folder = new URL('../src/web/public/', import.meta.url);

/** Of the cells of a picture, so many may differ: a browser may draw an edge in another way. */
const mostDifferent = 0.01;
const mostBytes = 90_000;

type Subject = {
  url: string;
  /** Nobody is signed in when left out. */
  as?: TestPerson;
  workspace: string;
  /** What the clock of the browser says. */
  now: string;
};

/** A page that looks the same at every time and place. */
export async function openForPicture({ url, as, workspace, now }: Subject, own: BrowserContextOptions): Promise<Page> {
  const context = await (await sharedBrowser()).newContext({
    baseURL: url,
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    ...own,
  });
  if (as !== undefined) await context.addCookies(cookiesOf(as, url));
  await context.addInitScript((id) => localStorage.setItem('cuebird.workspace', id), workspace);
  const page = await context.newPage();
  await page.clock.setFixedTime(now);
  // The server's clock is another one.
  await page.route('**/api/reminders/forecast', (route) =>
    route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), after: now }) }),
  );
  return page;
}

type Picture = { file: string; format: 'webp' | 'jpeg' };

/** Compares what the page shows with the committed picture, or takes that anew. A frame within the page may come a moment later. */
export async function expectPicture(page: Page, { file, format }: Picture): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => {}));
  const session = await page.context().newCDPSession(page);
  // WebP is offered by the browser's protocol only.
  const shoot = async () =>
    Buffer.from((await session.send('Page.captureScreenshot', { format, quality: 80 })).data, 'base64');
  if (isTaking) await writeFile(new URL(file, folder), await whenStill(shoot));
  const committed = await readFile(new URL(file, folder));
  expect(committed.length).toBeLessThan(mostBytes);
  await expect
    .poll(async () => differenceOf(page, [committed, await shoot()]), { message: `${file}: run npm run pictures` })
    .toBeLessThan(mostDifferent);
  await session.detach();
}

/** The first picture that is like the one before it. */
async function whenStill(shoot: () => Promise<Buffer>): Promise<Buffer> {
  let before = await shoot();
  for (;;) {
    const now = await shoot();
    if (now.equals(before)) return now;
    before = now;
  }
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
