import { connect } from 'node:net';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connectionLimits } from '#http/connections.ts';
import { type Listening, listen } from '#http/listen.ts';
import { webRoutes } from '#contract/web-routes.ts';
import { serveWeb } from '#http/web.ts';
import { sendBytes, sendRaw } from '#testing/raw-http.ts';

describe('the web', () => {
  let home: string;
  let server: Listening;
  const unknown: string[] = [];
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'cuebird-web-'));
    const root = join(home, 'web');
    await mkdir(join(root, 'assets'), { recursive: true });
    await writeFile(join(root, 'index.html'), '<!doctype html><title>The page</title>');
    await writeFile(join(root, 'assets', 'app-3fA9.js'), 'console.log(1)');
    await writeFile(join(root, 'favicon.svg'), '<svg/>');
    await writeFile(join(home, 'secret.json'), 'not to be read');
    await symlink(root, join(home, 'link'));
    const app = new Hono();
    serveWeb(app, { root, closedPages: (_, next) => next(), onUnknownPath: (path) => unknown.push(path) });
    server = await listen(app, { host: undefined, port: 0, isPortFixed: false });
  });
  afterAll(async () => {
    await server.close();
    await rm(home, { recursive: true });
  });

  const get = async (path: string) => {
    const response = await fetch(`${server.url}${path}`);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it.each([...webRoutes.map((path) => path.replaceAll(/\$\w+/g, '0192')), '/Reminders/', '/?tab=all', '/index.html'])(
    '%s answers the page, which is asked for anew each time',
    async (path) => {
      const { status, headers, text } = await get(path);
      // A public page has a title of its own (pages.test.ts).
      const titled = text.replace(/<title>[^<]* · Cuebird<\/title>/, '<title>The page</title>');
      expect({ status, titled }).toEqual({ status: 200, titled: '<!doctype html><title>The page</title>' });
      expect(headers.get('content-type')).toMatch(/^text\/html; charset=utf-8$/i);
      expect(headers.get('cache-control')).toBe('no-cache');
    },
  );

  it.each(['/nowhere', '/reminders/0192/edit/again', '/admin/workspace', '/assets', '/assets/', '/caf%C3%A9'])(
    '%s answers the page that says so with status 404, and is recorded',
    async (path) => {
      unknown.length = 0;
      const { status, headers, text } = await get(`${path}?token=secret`);
      expect({ status, text }).toEqual({ status: 404, text: '<!doctype html><title>The page</title>' });
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(unknown).toEqual([decodeURIComponent(path)]);
    },
  );

  it('the page names the files of its screen, and with a session what the screen asks for first', async () => {
    const root = await mkdtemp(join(tmpdir(), 'cuebird-web-'));
    onTestFinished(() => rm(root, { recursive: true }));
    await writeFile(join(root, 'index.html'), '<html><head></head></html>');
    const screens = {
      '/jobs/$id': { files: ['assets/JobScreen-1.js', 'assets/JobScreen-1.css'], needsSession: true },
      '/jobs/new': { files: ['assets/NewJobScreen-1.js'], needsSession: true },
      '/auth': { files: ['assets/AuthScreen-1.js'], needsSession: false },
    };
    await writeFile(join(root, 'screens.json'), JSON.stringify(screens));
    const app = new Hono();
    serveWeb(app, { root, closedPages: (_, next) => next(), onUnknownPath: () => {} });
    const linked = async (path: string, cookie = '') => {
      const page = await (await app.request(path, { headers: { cookie } })).text();
      return [...page.matchAll(/ href="([^"]+)"/g)].map(([, href]) => href);
    };
    const session = '__Secure-cuebird.session_token=x';
    const files = ['/assets/JobScreen-1.js', '/assets/JobScreen-1.css'];
    expect(await linked('/jobs/0192')).toEqual(files);
    expect(await linked('/jobs/0192', session)).toEqual(['/api/auth/get-session', ...files]);
    expect(await linked('/jobs/new')).toEqual(['/assets/NewJobScreen-1.js']);
    expect(await linked('/auth', session)).toEqual(['/assets/AuthScreen-1.js']);
    expect(await linked('/jobs')).toEqual([]);
    await writeFile(join(root, 'screens.json'), '{');
    expect(await linked('/jobs/0192', session)).toEqual([]);
  });

  it('is closed at every address of a page, while its files are served', async () => {
    const app = new Hono();
    serveWeb(app, {
      root: join(home, 'web'),
      closedPages: async (c) => c.text('closed', 503),
      onUnknownPath: () => {},
    });
    const statusAt = async (path: string) => (await app.request(path)).status;
    for (const path of ['/', '/index.html', '/?tab=all', '/reminders', '/assets/'])
      expect(await statusAt(path), path).toBe(503);
    for (const path of ['/favicon.svg', '/assets/app-3fA9.js']) expect(await statusAt(path), path).toBe(200);
  });

  it('a file whose name holds its content is kept for ever', async () => {
    const { status, headers, text } = await get('/assets/app-3fA9.js');
    expect({ status, text }).toEqual({ status: 200, text: 'console.log(1)' });
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('content-type')).toMatch(/^text\/javascript/);
    expect((await get('/favicon.svg')).headers.get('cache-control')).toBe('no-cache');
  });

  it('a file that is not there is not answered with the page', async () => {
    for (const path of ['/assets/gone.js', '/favicon.ico', '/robots.txt']) expect((await get(path)).status).toBe(404);
  });

  it.each(['/%', '/%zz', '/%ff', '/reminders/%00', '/%0d%0aset-cookie:%20a=b', '/%c0%ae', '/assets/%ed%a0%80'])(
    '%s is no address at all',
    async (path) => {
      expect(await sendRaw(server.url, { line: `GET ${path} HTTP/1.1` })).toMatch(/^HTTP\/1\.1 400/);
    },
  );

  it('a request that does not arrive in time ends, in its head as in its body', async () => {
    const timeouts = { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 10 };
    const app = new Hono().post('/', async (c) => c.text(await c.req.text().catch(() => '')));
    const strict = await listen(app, { host: undefined, port: 0, isPortFixed: false, timeouts });
    onTestFinished(() => strict.close());
    for (const begun of ['GET / HTTP/1.1\r\nHost: x\r\n', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab'])
      expect(await sendBytes(strict.url, begun)).toMatch(/^HTTP\/1\.1 408/);
  });

  describe('a connection', () => {
    const listenWith = async (app: Hono, limits: Partial<typeof connectionLimits>) => {
      const bounded = await listen(app, { port: 0, isPortFixed: false, limits: { ...connectionLimits, ...limits } });
      onTestFinished(() => bounded.close());
      return bounded.url;
    };
    const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

    it('that asks for more than is answered is ended, and the rest of what it asked is not looked at', async () => {
      let asked = 0;
      const app = new Hono().get('/', (c) => {
        asked += 1;
        return c.text('page');
      });
      const url = await listenWith(app, {});
      await sendBytes(url, request.repeat(1_000));
      expect(asked).toBeLessThanOrEqual(connectionLimits.unanswered);
      expect(await (await fetch(url)).text()).toBe('page');
    });

    it('whose answer nobody reads is ended', async () => {
      const ended = Promise.withResolvers<void>();
      const app = new Hono().get('/', (c) => {
        c.req.raw.signal.addEventListener('abort', () => ended.resolve());
        return c.body(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }));
      });
      const url = await listenWith(app, { idleMs: 50 });
      const reader = connect({ host: '127.0.0.1', port: Number(new URL(url).port) }, () => reader.write(request));
      onTestFinished(() => void reader.destroy());
      reader.on('error', () => {});
      reader.pause();
      await ended.promise;
    });

    it('does not keep the server from ending, however long its answer takes', async () => {
      const app = new Hono().get('/', (c) =>
        c.body(new ReadableStream({ start: (to) => to.enqueue(new Uint8Array(1)) })),
      );
      const bounded = await listen(app, {
        port: 0,
        isPortFixed: false,
        limits: { ...connectionLimits, closingMs: 10 },
      });
      const answer = await fetch(bounded.url);
      await bounded.close();
      await expect(answer.text()).rejects.toThrow('terminated');
    });
  });

  it.each([
    '/../secret.json',
    '/../../secret.json',
    '/assets/../../secret.json',
    '/assets/..//../secret.json',
    '/..%2fsecret.json',
    '/%2e%2e/secret.json',
    '/%2e%2e%2fsecret.json',
    '/%252e%252e%252fsecret.json',
    '/..%5csecret.json',
    '/..\\secret.json',
    '/.%00./secret.json',
    '/%c0%ae%c0%ae/secret.json',
    '//secret.json',
    '/%2fetc%2fpasswd',
    'file:///etc/passwd',
    '*',
  ])('%s does not lead out of its folder', async (path) => {
    const answer = await sendRaw(server.url, { line: `GET ${path} HTTP/1.1` });
    expect(answer).toMatch(/^HTTP\/1\.1 (200|400|404)/);
    expect(answer).not.toMatch(/not to be read|root:/);
  });
});
