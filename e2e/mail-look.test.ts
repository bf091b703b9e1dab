import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailPage } from '#domain/message-format/mail-page.ts';
import { formatHere } from '#domain/message-format/message-format.ts';
import { render } from '#domain/template.ts';
import { launchBrowser } from '#testing/browser.ts';
import { hostileMessages } from '#testing/hostile-messages.ts';
import { sample } from '#testing/sample.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

const pageOf = ({ subject, message, values }: ReturnType<typeof hostileMessages>[number]): string[] => {
  const rendered = render(message, values, { marksValues: true });
  if (rendered.kind !== 'rendered') return [];
  const { html } = formatHere(rendered.text, 'mail');
  return [
    mailPage({
      body: html ?? '',
      title: subject,
      style: { color: '#2563eb', postalLine: values.a ?? '' },
      company: values.b ?? '',
      brand: { name: values.a ?? '', logo: null },
      unsubscribe: 'https://cuebird.example/unsubscribe/1',
    }),
  ];
};

describe('mails in a browser that runs scripts and loads what it is asked to', () => {
  it('run nothing, load nothing and lead nowhere but by a safe link, for hostile messages', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('dialog', (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => faults.push(`request: ${request.url()}`));
    page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
    page.on('framenavigated', (frame) => {
      if (!frame.url().startsWith('about:')) faults.push(`navigation: ${frame.url()}`);
    });
    const seeds = sample.partSeeds('hostile messages in a browser', 64);
    const pages = seeds.flatMap((seed) => hostileMessages({ count: 100, seed })).flatMap(pageOf);
    expect(pages.length).toBeGreaterThan(90 * seeds.length);
    for (const html of pages) {
      await page.setContent(html);
      const found = await page.evaluate(() => ({
        handlers: [...document.querySelectorAll('*')].flatMap((element) =>
          [...element.attributes].filter(({ name }) => name.startsWith('on')).map(({ name }) => name),
        ),
        active: [...document.querySelectorAll('script, style, link, img, iframe, object, embed, form, svg, base')].map(
          (element) => element.tagName,
        ),
        schemes: [...new Set([...document.links].map((link) => link.protocol))],
      }));
      expect([found.handlers, found.active]).toEqual([[], []]);
      for (const scheme of found.schemes) expect(['http:', 'https:', 'mailto:', 'tel:']).toContain(scheme);
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  it.each([390, 700])('fit into %i px, also with long words, in the light and in the dark', async (width) => {
    const message = `# ${'Rent'.repeat(60)}\n\n${'word'.repeat(100)} https://pay.example/${'x'.repeat(300)}\n\n- ${'item'.repeat(80)}\n\n\`\`\`\n${'code'.repeat(100)}\n\`\`\``;
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
      const page = await context.newPage();
      await page.setContent(pageOf({ subject: 'Rent', message, values: { a: 'Elm', b: 'Elm' } })[0] ?? '');
      const looks = await page.evaluate(() => ({
        overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        text: getComputedStyle(document.querySelector('p') ?? document.body).color,
      }));
      expect(looks).toEqual({ overflow: 0, text: colorScheme === 'light' ? 'rgb(0, 0, 0)' : 'rgb(255, 255, 255)' });
      await context.close();
    }
  });
});
