import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Component, Status, Trouble } from '#contract/status.ts';
import { fillSlots } from '#http/pages.ts';
import { serveWeb } from '#http/web.ts';
import { type SlotValues, slot } from '#pages/slots.ts';
import { slotValues } from '#wiring/slot-values.ts';

const none: SlotValues = {
  appUrl: null,
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
};

describe('the slots of a page', () => {
  it('are filled with values that cannot become a part of the page', () => {
    const page = `<a href="mailto:${slot('supportEmail')}">${slot('supportPhone')}</a>`;
    const values = { ...none, supportEmail: `"><script>'&`, supportPhone: slot('year') };
    expect(fillSlots(page, values)).toBe('<a href="mailto:&quot;&gt;&lt;script&gt;&#39;&amp;">[[year]]</a>');
  });

  it('are left out with what stands around them where the installation has no such thing', () => {
    const page =
      '<ul><when-set name="supportPhone"><li>Call</li></when-set><li>Write</li></ul>' +
      '<when-set name="demoPath">Demo</when-set><unless-set name="demoPath">Tour</unless-set>';
    expect(fillSlots(page, none)).toBe('<ul><li>Write</li></ul>Tour');
    expect(fillSlots(page, { ...none, supportPhone: '1', demoPath: '/demo' })).toBe(
      '<ul><li>Call</li><li>Write</li></ul>Demo',
    );
  });

  it('leave other brackets alone', () => {
    expect(fillSlots(`[[ [[other]] ${slot('year')}`, none)).toBe('[[ [[other]] 2026');
  });
});

describe('what the pages say of an installation', () => {
  const now = Temporal.Instant.from('2026-11-20T12:00:00Z');
  const config = {
    APP_URL: 'https://cuebird.example.com/',
    SUPPORT_EMAIL: 'help@example.com',
    SUPPORT_PHONE: '+44 (0)113 496 0000',
    OPERATOR_NAME: 'Elm & Sons',
    OPERATOR_ADDRESS: undefined,
    billing: 'stripe',
  } as const;

  it('is its address, its support, its operator and the year', () => {
    expect(slotValues(config, { hasDemo: false, now, status: null })).toEqual({
      appUrl: 'https://cuebird.example.com',
      supportEmail: 'help@example.com',
      supportPhone: '+44 (0)113 496 0000',
      supportPhoneDigits: '+441134960000',
      demoPath: null,
      priceNote: null,
      billing: 'stripe',
      operatorName: 'Elm & Sons',
      operatorAddress: null,
      year: '2026',
      statusState: null,
      statusHeadline: null,
      statusTroubles: null,
    });
  });

  it('is how it is at the moment', () => {
    const of = (component: Component, trouble: Trouble | null): Status['components'][number] => ({
      component,
      state: trouble === null ? 'operational' : trouble === 'no_worker' ? 'down' : 'degraded',
      trouble,
      days: [],
    });
    const statusOf = (...components: Status['components']) => {
      const status = { checked_at: now.toString(), is_operational: false, components };
      const { statusState, statusHeadline, statusTroubles } = slotValues(config, { hasDemo: false, now, status });
      return [statusState, statusHeadline, statusTroubles];
    };
    expect(statusOf(of('web', null), of('deliveries', null))).toEqual(['operational', 'All Systems Operational', null]);
    expect(statusOf(of('web', 'maintenance'), of('deliveries', null))).toEqual([
      'degraded',
      'Some systems are limited',
      'Web app and API: Under maintenance. Reminders are still sent.',
    ]);
    expect(statusOf(of('web', 'maintenance'), of('deliveries', 'no_worker'))).toEqual([
      'down',
      'Some systems are down',
      'Web app and API: Under maintenance. Reminders are still sent. Deliveries: No worker gives a sign of life. What is due waits, and is sent afterwards.',
    ]);
  });

  it('names where a demo begins, where the installation has demos', () => {
    expect(slotValues(config, { hasDemo: true, now, status: null }).demoPath).toBe('/api/demo');
  });

  it('says where nothing real is charged', () => {
    const noteOf = (billing: 'off' | 'sandbox') =>
      slotValues({ ...config, billing }, { hasDemo: false, now, status: null }).priceNote;
    expect(noteOf('off')).toBeNull();
    expect(noteOf('sandbox')).toContain('payments are simulated');
  });
});

describe('the pages of the build', () => {
  let folder: string;
  let isClosed = false;
  const app = new Hono();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cuebird-pages-'));
    const pages = [
      { path: '/', readers: 'signed-in', html: 'in' },
      { path: '/', readers: 'signed-out', html: `out ${slot('year')}` },
      { path: '/docs', readers: 'all', html: 'docs' },
    ];
    await writeFile(join(folder, 'pages.json'), JSON.stringify(pages));
    await writeFile(join(folder, 'index.html'), '<head><title>Cuebird</title></head>');
    serveWeb(app, {
      root: folder,
      closedPages: async (c, next) => (isClosed ? c.text('closed', 503) : next()),
      onUnknownPath: () => {},
      pages: { file: join(folder, 'pages.json'), values: async () => none },
      appUrl: 'https://cuebird.example.com/',
    });
  });
  afterAll(() => rm(folder, { recursive: true }));

  const get = async (path: string, cookie = '') => {
    const response = await app.request(path, { headers: { cookie } });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('are others for who is signed in, and no cache mixes them up', async () => {
    const out = await get('/');
    expect(out).toMatchObject({ status: 200, text: 'out 2026' });
    expect(out.headers.get('vary')).toMatch(/cookie/i);
    expect(out.headers.get('cache-control')).toBe('no-cache');
    for (const name of ['cuebird.session_token', '__Secure-cuebird.session_token'])
      expect((await get('/', `${name}=x`)).text, name).toBe('in');
    expect((await get('/', 'cuebird.theme=x')).text).toBe('out 2026');
  });

  it('are closed with the other screens', async () => {
    isClosed = true;
    expect((await get('/')).status).toBe(503);
    expect((await get('/docs')).status).toBe(503);
    isClosed = false;
  });

  it('are the same for everybody where they do not differ, with and without a slash at the end', async () => {
    for (const cookie of ['', 'cuebird.session_token=x'])
      expect(await get('/docs', cookie)).toMatchObject({ status: 200, text: 'docs' });
    const moved = await get('/docs/');
    expect([moved.status, moved.headers.get('location')]).toEqual([301, '/docs']);
  });

  it('are not those of other addresses', async () => {
    expect((await get('/reminders')).text).toContain('<title>Cuebird</title>');
    expect((await get('/docs/nothing')).status).toBe(404);
  });

  it.each(['/auth', '/api-docs'])('%s says what it is to search engines and cards', async (path) => {
    const { text } = await get(path);
    expect(text).toMatch(/<title>[A-Z][\w ]+ · Cuebird<\/title>/);
    expect(text).toContain(`<link rel="canonical" href="https://cuebird.example.com${path}">`);
    expect(text).toContain('<meta property="og:image" content="https://cuebird.example.com/social-card.jpg">');
    expect(text).toMatch(/<meta property="og:description" content="[^"]{30,}">/);
  });
});
