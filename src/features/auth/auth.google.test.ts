import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { APP, browserAt, codeOf, PASSWORD, startAuth } from '#testing/auth.ts';

/** A server in Google's place: the only thing changed is where its address leads. */
const google = { sub: '1', email: 'gina@example.com', name: 'Gina', email_verified: true };
let fakeProvider: Server;
let world: Awaited<ReturnType<typeof startAuth>>;

beforeAll(async () => {
  fakeProvider = createServer((_, response) => {
    const claims = Buffer.from(JSON.stringify(google)).toString('base64url');
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ access_token: 'at-secret', refresh_token: 'rt-secret', id_token: `e30.${claims}.x` }),
    );
  }).listen(0, '127.0.0.1');
  await once(fakeProvider, 'listening');
  const { port } = fakeProvider.address() as AddressInfo;
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (url: string | URL, init?: RequestInit) =>
    fetch(String(url).replace('https://oauth2.googleapis.com', `http://127.0.0.1:${port}`), init),
  );
  world = await startAuth({ google: { clientId: 'client', clientSecret: 'secret' } });
});
beforeEach(
  () => void Object.assign(google, { sub: '1', email: 'gina@example.com', name: 'Gina', email_verified: true }),
);
afterAll(async () => {
  vi.unstubAllGlobals();
  fakeProvider.close().closeAllConnections();
  await world.stop();
});

/** Continue with Google, to where it leads. */
async function continueWithGoogle(browser = browserAt(world.auth)) {
  const answer: { url: string } = await (await browser.post('/api/auth/sign-in/social', { provider: 'google' })).json();
  const state = new URL(answer.url).searchParams.get('state');
  const back = await browser.get(`/api/auth/callback/google?code=a-code&state=${state}`);
  return { browser, consent: new URL(answer.url), status: back.status, location: back.headers.get('location') };
}

describe('continue with Google', () => {
  it('asks Google for consent and returns signed in, at the dashboard', async () => {
    const { browser, consent, ...back } = await continueWithGoogle();
    expect(consent.origin).toBe('https://accounts.google.com');
    expect(consent.searchParams.get('redirect_uri')).toBe(`${APP}/api/auth/callback/google`);
    expect(consent.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    expect(back).toEqual({ status: 302, location: '/dashboard' });
    expect(await world.auth.sessionOf(browser.headers())).toMatchObject({
      email: 'gina@example.com',
      fullName: 'Gina',
    });
  });

  it('recognizes the same person', async () => {
    const first = await continueWithGoogle();
    const second = await continueWithGoogle();
    const known = await world.auth.sessionOf(first.browser.headers());
    expect(await world.auth.sessionOf(second.browser.headers())).toEqual({ ...known, sessionId: expect.any(String) });
  });

  it('stores none of the tokens, at the first sign-in and the next', async () => {
    Object.assign(google, { sub: '4', email: 'tess@example.com' });
    for (const _ of ['first', 'next']) {
      await continueWithGoogle();
      const { rows } = await world.pool.query("select * from auth_accounts where account_id = '4'");
      expect(rows).toMatchObject([{ access_token: null, refresh_token: null, id_token: null }]);
      expect(JSON.stringify(rows)).not.toContain('secret');
    }
  });

  it('truncates a name to the maximum length', async () => {
    Object.assign(google, { sub: '2', email: 'long@example.com', name: `\u0000${'n'.repeat(500)}` });
    const { browser } = await continueWithGoogle();
    expect((await world.auth.sessionOf(browser.headers()))?.fullName).toBe('n'.repeat(200));
  });

  it('does not link an account with an unverified address', async () => {
    await browserAt(world.auth).post('/api/auth/sign-up/email', {
      name: 'X',
      email: 'victim@example.com',
      password: PASSWORD,
    });
    Object.assign(google, { sub: '3', email: 'victim@example.com' });
    const { browser, location } = await continueWithGoogle();
    expect(location).toBe('/auth?error=account_not_linked');
    expect(await world.auth.sessionOf(browser.headers())).toBeNull();
  });

  it('returns to the sign-in screen when this browser did not start the sign-in', async () => {
    const browser = browserAt(world.auth);
    const { url }: { url: string } = await (
      await browser.post('/api/auth/sign-in/social', { provider: 'google' })
    ).json();
    const state = new URL(url).searchParams.get('state');
    for (const path of [`code=x&state=${state}`, 'code=x&state=made-up', 'code=x', 'error=access_denied']) {
      const back = await browserAt(world.auth).get(`/api/auth/callback/google?${path}`);
      expect(back.headers.get('location')).toMatch(/^\/auth\?error=/);
    }
  });

  it('takes an answer of Google once: the same address lets nobody in again, in this browser or with its cookies', async () => {
    Object.assign(google, { sub: '6', email: 'ruth@example.com' });
    const browser = browserAt(world.auth);
    const { url }: { url: string } = await (
      await browser.post('/api/auth/sign-in/social', { provider: 'google' })
    ).json();
    const callback = `/api/auth/callback/google?code=a-code&state=${new URL(url).searchParams.get('state')}`;
    const thief = browserAt(world.auth);
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
    expect((await browser.get(callback)).headers.get('location')).toBe('/dashboard');
    for (const again of [thief, browser]) {
      const before = again.cookies.get('cuebird.session_token');
      expect((await again.get(callback)).headers.get('location')).toMatch(/^\/auth\?error=/);
      expect(again.cookies.get('cuebird.session_token')).toBe(before);
    }
  });

  it('returns a suspended person to the sign-in screen, which says why', async () => {
    Object.assign(google, { sub: '5', email: 'sue@example.com' });
    await continueWithGoogle();
    await world.pool.query("update profiles set suspended_at = now() where email = 'sue@example.com'");
    const { browser, location } = await continueWithGoogle();
    expect(location).toMatch(/^\/auth\?error=ACCOUNT_SUSPENDED/);
    expect(await world.auth.sessionOf(browser.headers())).toBeNull();
  });

  it('is refused with a clear error when it is not configured', async () => {
    const plain = await startAuth();
    const answer = await browserAt(plain.auth).post('/api/auth/sign-in/social', { provider: 'google' });
    expect(await codeOf(answer)).toEqual({ status: 404, code: 'PROVIDER_NOT_FOUND' });
    await plain.stop();
  });
});
