import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from './browser.ts';

let browser: Browser;
let server: Server;
let url: string;

beforeAll(async () => {
  const page = '<!doctype html><title>Cuebird</title><body style="font: 40px sans-serif">';
  server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`${page}<span>${decodeURIComponent(request.url?.slice(1) ?? '')}</span>`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  server.close();
});

describe('the test browser', () => {
  it('renders text with real fonts and takes a screenshot', async () => {
    const words = await draw('Müller');
    const blank = await draw('');
    expect(words.width).toBeGreaterThan(60);
    expect(words.picture.subarray(1, 4).toString()).toBe('PNG');
    expect(words.picture.length).toBeGreaterThan(blank.picture.length + 500);
  });

  it('renders narrow and wide letters with different widths', async () => {
    expect((await draw('mmmmm')).width).toBeGreaterThan((await draw('iiiii')).width * 2);
  });

  it('isolates sites like a standard browser', async () => {
    const page = await browser.newPage();
    await page.goto(`${url}/here`);
    const elsewhere = url.replace('127.0.0.1', 'localhost');
    const answer = await page.evaluate((address) => fetch(address).then(String, () => 'refused'), elsewhere);
    expect(answer).toBe('refused');
    await page.close();
  });
});

async function draw(text: string): Promise<{ width: number; picture: Buffer }> {
  const page = await browser.newPage({ viewport: { width: 400, height: 100 } });
  await page.goto(`${url}/${encodeURIComponent(text)}`);
  const width = await page.locator('span').evaluate((span) => span.getBoundingClientRect().width);
  const picture = await page.screenshot();
  await page.close();
  return { width, picture };
}
