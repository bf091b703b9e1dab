import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import type { TestPerson } from '#testing/cuebird.ts';
import { sample } from '#testing/sample.ts';
import { expectPicture, openForPicture } from './picture.ts';
import { installExample, screens } from './pictures.fixture.ts';
import { describeScreens } from './screens.fixture.ts';

const fixture = describeScreens();
let person: TestPerson;
let example: Awaited<ReturnType<typeof installExample>>;
beforeAll(async () => {
  person = await fixture.signUp('Dana Whitfield');
  example = await installExample(fixture.owner, person);
});

const schemes = ['light', 'dark'] as const;

const pictures = screens.flatMap((screen) => schemes.map((scheme) => ({ ...screen, scheme })));

it.each(sample.draw(pictures, { name: 'pictures', count: pictures.length / 2 }))(
  'the picture “$name” shows the screen as it is, in its $scheme scheme',
  async ({ name, scheme, path, shows, from, line }) => {
    const page = await openForPicture(
      { url: fixture.url, as: person, ...example },
      { colorScheme: scheme, viewport: { width: 960, height: 600 }, deviceScaleFactor: 1.25 },
    );
    await page.goto(path);
    if (line !== undefined) await page.getByLabel('Describe it in one line').fill(line);
    await page.getByText(shows).first().waitFor();
    if (from !== undefined)
      await page.getByRole('heading', { name: from }).evaluate((heading) => heading.scrollIntoView());
    await expectPicture(page, { file: `pictures/${name}.${scheme}.webp`, format: 'webp' });
    await page.context().close();
  },
);

it('the social card shows the landing page as it is', async () => {
  const page = await openForPicture(
    { url: fixture.url, ...example },
    { colorScheme: 'light', viewport: { width: 1200, height: 630 } },
  );
  await page.goto('/');
  await page.getByText(/^\w{3}, 1 Apr 2026, 09:00$/).waitFor();
  await expectPicture(page, { file: 'social-card.jpg', format: 'jpeg' });
  await page.context().close();
});

it('every picture of the README is one of these', async () => {
  const images = (await readFile('README.md', 'utf8')).matchAll(/!\[[^\]]*\]\(([^)]*)\)/g);
  const shown = [...images].map(([, file]) => file);
  expect(shown).toHaveLength(2);
  const taken = screens.map(({ name }) => `src/web/public/pictures/${name}.light.webp`);
  expect(shown.filter((file) => !taken.includes(file ?? ''))).toEqual([]);
});
