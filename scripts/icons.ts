import './node-version.js';
import { readFile, writeFile } from 'node:fs/promises';
import { launchBrowser } from '#testing/browser.ts';

/** Draws the icons of the installed app and of notifications from the favicon: `npm run icons`, when that changes. */
const folder = new URL('../src/web/public/', import.meta.url);
const favicon = await readFile(new URL('favicon.svg', folder), 'utf8');
const bird = favicon.replace(/^<svg[^>]*>|<\/svg>\s*$/g, '');

/** Within the circle that every launcher leaves of a maskable icon: four fifths of it. */
const tile = (corner: number) =>
  `<rect width="64" height="64" rx="${corner}" fill="#fff"/><g transform="translate(11.6 13.4) scale(1.2)">${bird}</g>`;

/** Launchers of Android draw it in one colour. */
const outline = `<g transform="translate(-2 2) scale(2)">${bird.replaceAll(/fill="#(?!fff")\w+"/g, 'fill="#fff"').replace(/<circle[^>]*>/, '')}</g>`;

const icons = [
  { name: '192', pixels: 192, drawing: tile(14) },
  { name: '512', pixels: 512, drawing: tile(14) },
  { name: 'maskable-512', pixels: 512, drawing: tile(0) },
  { name: '180', pixels: 180, drawing: tile(0) },
  { name: 'badge', pixels: 96, drawing: outline },
];

const browser = await launchBrowser();
const page = await browser.newPage();
for (const { name, pixels, drawing } of icons) {
  await page.setViewportSize({ width: pixels, height: pixels });
  await page.setContent(
    `<style>body { margin: 0 } svg { display: block }</style><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="${pixels}" height="${pixels}">${drawing}</svg>`,
  );
  await writeFile(new URL(`icons/${name}.png`, folder), await page.screenshot({ omitBackground: true }));
}
await browser.close();
