import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { APP, browserAt, codeOf, PASSWORD, startAuth } from '#testing/auth.ts';

let world: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  world = await startAuth();
});
afterAll(() => world.stop());

let count = 0;
const newcomer = () => ({ name: 'Ann Example', email: `ann${(count += 1)}@example.com`, password: PASSWORD });

async function signedUp() {
  const browser = browserAt(world.auth);
  const person = newcomer();
  expect((await browser.post('/api/auth/sign-up/email', person)).status).toBe(200);
  return { browser, person };
}

describe('the origin check', () => {
  it.each(['https://evil.example', 'http://localhost.evil.example:3000', 'null', 'http://192.168.1.5:3000'])(
    'refuses every POST from %s',
    async (origin) => {
      const { browser, person } = await signedUp();
      for (const [path, body] of [
        ['/api/auth/sign-up/email', newcomer()],
        ['/api/auth/sign-in/email', person],
        ['/api/auth/sign-out', {}],
        ['/api/auth/request-password-reset', { email: person.email }],
      ] as const) {
        const headers = { origin, cookie: browser.headers().get('cookie') ?? '', 'content-type': 'application/json' };
        const request = new Request(`${APP}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
        expect(await codeOf(await world.auth.handle(request))).toEqual({ status: 403, code: 'INVALID_ORIGIN' });
      }
      expect(await world.auth.sessionOf(browser.headers())).toMatchObject({ email: person.email });
    },
  );

  it('refuses a POST with a cookie and without an origin', async () => {
    const { browser } = await signedUp();
    const headers = { cookie: browser.headers().get('cookie') ?? '', 'content-type': 'application/json' };
    const request = new Request(`${APP}/api/auth/sign-out`, { method: 'POST', headers, body: '{}' });
    expect((await world.auth.handle(request)).status).toBe(403);
    expect(await world.auth.sessionOf(browser.headers())).not.toBeNull();
  });

  it.each(['http://localhost:5173', 'http://127.0.0.1:3000', 'http://[::1]:4321', 'http://localhost'])(
    'trusts %s while no address is configured',
    async (origin) => {
      const browser = browserAt(world.auth, origin);
      expect((await browser.post('/api/auth/sign-up/email', newcomer())).status).toBe(200);
      expect((await browser.post('/api/auth/sign-out', {})).status).toBe(200);
    },
  );

  it('refuses a host name that is not this machine’s, whatever it resolves to', async () => {
    const stranger = browserAt(world.auth, 'http://evil.example:3000');
    expect((await stranger.post('/api/auth/sign-up/email', newcomer())).status).toBe(403);
    expect(await codeOf(await stranger.get('/api/auth/get-session'))).toEqual({ status: 403, code: 'INVALID_HOST' });
  });

  it('refuses a return address on another site', async () => {
    const { person } = await signedUp();
    const body = { ...person, callbackURL: 'https://evil.example/' };
    await expect(browserAt(world.auth).post('/api/auth/sign-in/email', body)).rejects.toMatchObject({
      code: 'invalid_request',
      fields: [{ path: 'callbackURL' }],
    });
  });

  it('trusts only the configured address once there is one, with secure cookies', async () => {
    const { auth, stop } = await startAuth({ appUrl: 'https://cuebird.example.com' });
    onTestFinished(stop);
    const answer = await browserAt(auth, 'https://cuebird.example.com').post('/api/auth/sign-up/email', newcomer());
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^__Secure-cuebird\.session_token=.*; Secure/);
    expect(await auth.sessionOf(new Headers({ cookie: cookie.split(';')[0] ?? '' }))).toMatchObject({
      fullName: 'Ann Example',
    });
    expect((await browserAt(auth).post('/api/auth/sign-up/email', newcomer())).status).toBe(403);
  });
});
