import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorAnswer } from '#contract/errors.ts';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
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
        expect(headers.get('x-frame-options')).toBe('DENY');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
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

    it('our own pages and programs without an Origin are served', async () => {
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
