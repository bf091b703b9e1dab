import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorAnswer } from '#contract/errors.ts';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { createOpenApiAnswer } from '#http/open-api.ts';
import { secureHeaders } from '#http/secure-headers.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sendRaw } from '#testing/raw-http.ts';

describe('the HTTP surface', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
  });
  afterAll(() => cuebird.stop());

  const get = (path: string, init: RequestInit = {}) => fetch(`${cuebird.url}${path}`, { redirect: 'manual', ...init });

  describe('security headers', () => {
    it.each(['/', '/reminders', '/api/health', '/api/unknown', '/api/workspaces', '/api/auth/get-session'])(
      '%s forbids foreign scripts, framing and guessing of types',
      async (path) => {
        const { headers } = await get(path);
        expect(headers.get('content-security-policy')).toMatch(/script-src 'self'(;|$)/);
        expect(headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/);
        expect(headers.get('content-security-policy')).toMatch(/object-src 'none'/);
        expect(headers.get('content-security-policy')).toMatch(/base-uri 'none'/);
        expect(headers.get('x-frame-options')).toBe('DENY');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
        expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
        expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
        expect(headers.get('permissions-policy')).toMatch(/camera=\(\).*geolocation=\(\).*microphone=\(\)/);
        // Plain HTTP: a browser that remembered the header would no longer reach this address.
        expect(headers.get('strict-transport-security')).toBeNull();
      },
    );

    it('what the API says is not kept by caches, and nobody else may read it', async () => {
      for (const path of ['/api/workspaces', '/api/unknown']) {
        const { headers } = await get(path, { headers: { origin: 'https://elsewhere.example', cookie: dana.cookie } });
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('access-control-allow-origin')).toBeNull();
      }
    });

    it('every refusal carries an id of its request, in its body as in its headers', async () => {
      const response = await get('/api/workspaces');
      const { error } = ErrorAnswer.parse(await response.json());
      expect(error.request_id).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.headers.get('x-request-id')).toBe(error.request_id);
    });
  });

  describe('a request that a page of another site has sent', () => {
    const create = (origin: string, name = 'Elm') =>
      dana.call('POST', '/api/workspaces', { body: { name }, headers: { origin } });

    it.each([
      'https://elsewhere.example',
      'null',
      'http://localhost.elsewhere.example',
      'http://127.0.0.1.nip.io',
      'x',
    ])('is refused although it has the cookie: %s', async (origin) => {
      const refused = await create(origin, `From ${origin}`);
      expect(refused.status).toBe(403);
      expect(refused.json.error.message).toBe('This request comes from another site');
      const names = (await dana.call('GET', '/api/workspaces')).json.data.map(({ name }: { name: string }) => name);
      expect(names).not.toContain(`From ${origin}`);
    });

    it.each(['PUT', 'PATCH', 'DELETE'])('is refused for %s as well', async (method) => {
      const path = '/api/reminders/00000000-0000-4000-8000-000000000000';
      const refused = await dana.call(method, path, { headers: { origin: 'https://elsewhere.example' } });
      expect(refused.status).toBe(403);
    });

    const sentFrom = (site: string, name = 'Elm') =>
      dana.call('POST', '/api/workspaces', { body: { name }, headers: { 'sec-fetch-site': site } });

    it.each(['cross-site', 'same-site', 'x'])('is refused where its Origin was taken away: %s', async (site) => {
      const refused = await sentFrom(site);
      expect([refused.status, refused.json.error.message]).toEqual([403, 'This request comes from another site']);
      const headers = { 'content-type': 'application/json', 'sec-fetch-site': site };
      expect((await get('/api/auth/sign-out', { method: 'POST', headers, body: '{}' })).status).toBe(403);
    });

    it('is served where it is a link, or a call to a hook', async () => {
      const headers = { 'sec-fetch-site': 'cross-site' };
      expect((await dana.call('GET', '/api/workspaces', { headers })).status).toBe(200);
      expect((await get('/api/auth/callback/google?error=access_denied', { headers })).status).toBe(302);
      expect((await get('/api/unsubscribe/none', { headers: { ...headers, accept: 'text/html' } })).status).toBe(303);
      expect((await get('/api/hooks/none', { method: 'POST', headers })).status).toBe(404);
    });

    it('our own pages and programs without an Origin are served', async () => {
      for (const site of ['same-origin', 'none']) expect((await sentFrom(site)).status).toBe(201);

      expect((await create(cuebird.url)).status).toBe(201);
      expect((await dana.call('POST', '/api/workspaces', { body: { name: 'By a program' } })).status).toBe(201);
    });
  });

  it('what is not HTTP at all ends the connection and nothing else', async () => {
    expect(await sendRaw(cuebird.url, { line: '\x16\x03\x01 nonsense' })).toMatch(/^HTTP\/1\.1 400/);
    expect((await get('/api/health')).status).toBe(200);
  });

  it('an address that no URL can be made of is refused', async () => {
    for (const host of ['a b', '[', 'x:99999']) {
      expect(await sendRaw(cuebird.url, { line: 'GET /api/health HTTP/1.1', host })).toMatch(/^HTTP\/1\.1 400/);
    }
    expect((await get('/api/health')).status).toBe(200);
  });

  describe('an address that people were never given', () => {
    const broken = [
      '%0d%0a',
      '%0d%0aset-cookie:%20a=b',
      '%00',
      '€',
      '%e2%82%ac',
      '%',
      '%f',
      '%ff',
      '%zz',
      '%c0%ae',
      '%ed%a0%80',
    ];
    const open = Object.values(routes)
      .filter((route: Route) => route.access === 'public' && route.path.includes(':'))
      .map((route) => [route.method.toUpperCase(), route.path] as const);

    it.each(open)('%s %s with what no token holds is not found', async (method, path) => {
      for (const part of broken) {
        const target = path.replace(/:\w+/g, Buffer.from(part).toString('latin1'));
        for (const accept of ['text/html', 'application/json']) {
          const answer = await sendRaw(cuebird.url, { line: `${method} ${target} HTTP/1.1\r\nAccept: ${accept}` });
          expect(answer, `${method} ${target}`).toMatch(/^HTTP\/1\.1 4\d\d /);
          expect(answer).not.toMatch(/^(set-cookie|location):/im);
        }
      }
    });

    it.each(['/api/demo/enter?token=', '/api/inbox/account?token=', '/api/auth/', '/api/'])(
      'nor is %s',
      async (path) => {
        for (const part of broken) {
          const line = `GET ${path}${Buffer.from(part).toString('latin1')} HTTP/1.1`;
          expect(await sendRaw(cuebird.url, { line }), line).toMatch(/^HTTP\/1\.1 4\d\d /);
        }
      },
    );
  });

  describe('behind HTTPS', () => {
    it('browsers are told to come by HTTPS only', async () => {
      const app = new Hono().use(secureHeaders('https://reminders.example')).get('/', (c) => c.text('Hello'));
      for (const path of ['/', '/none'])
        expect((await app.request(path)).headers.get('strict-transport-security')).toBe('max-age=31536000');
    });
  });

  describe('the OpenAPI document', () => {
    type Operation = { operationId: string; parameters: { name: string; in: string }[]; requestBody?: object };
    type Document = { openapi: string; info: object; paths: Record<string, Record<string, Operation>> };
    let document: Document;
    beforeAll(async () => {
      document = await (await get('/api/openapi.json')).json();
    });

    it('lists every route of the API once, with its parameters and its body', () => {
      const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
      );
      expect(listed.map(({ operation }) => operation.operationId).sort()).toEqual(Object.keys(routes).sort());
      for (const { path, method, operation } of listed) {
        const route: Route = routes[operation.operationId as keyof typeof routes];
        expect([method, path]).toEqual([route.method, route.path.replace(/:(\w+)/g, '{$1}')]);
        const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
        expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
        expect(operation.requestBody !== undefined).toBe(route.body !== undefined);
      }
    });

    it('is made once, and not sent again to who has it', async () => {
      const first = await get('/api/openapi.json');
      const tag = first.headers.get('etag') ?? '';
      expect(first.headers.get('content-type')).toBe('application/json');
      expect((await get('/api/openapi.json', { headers: { 'if-none-match': tag } })).status).toBe(304);
      const plain = await get('/api/openapi.json', { headers: { 'accept-encoding': 'gzip;q=0, deflate' } });
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(await plain.json()).toEqual(document);
    });

    it('is not made anew with each request', () => {
      let made = 0;
      const answer = createOpenApiAnswer(() => {
        made += 1;
        return { version: '1', url: 'http://localhost' };
      });
      for (let count = 0; count < 3; count += 1) answer(new Request('http://localhost/api/openapi.json'));
      expect(made).toBe(1);
    });

    it('holds together: every reference leads somewhere, and the shapes are JSON Schema', () => {
      const references: string[] = [];
      JSON.stringify(document, (key, value) => {
        if (key === '$ref') references.push(value);
        return value;
      });
      expect(document.openapi).toBe('3.1.0');
      expect(references.length).toBeGreaterThan(0);
      for (const reference of references) {
        const found = reference
          .replace(/^#\//, '')
          .split('/')
          .reduce<unknown>((part, key) => Reflect.get(Object(part), key), document);
        expect(found, reference).toBeTypeOf('object');
      }
      const { schema } = Reflect.get(Object(document.paths['/api/reminders']?.post?.requestBody), 'content')[
        'application/json'
      ];
      expect(schema).toMatchObject({ type: 'object', properties: { name: { type: 'string', maxLength: 100 } } });
      expect(schema.required).toEqual(expect.arrayContaining(['name', 'schedule_config', 'content', 'metadata']));
    });
  });
});
