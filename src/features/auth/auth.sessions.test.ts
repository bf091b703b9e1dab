import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hashOfToken } from '#platform/token-hash.ts';
import { browserAt, codeOf, PASSWORD, startAuth } from '#testing/auth.ts';

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

const rowsOf = async (email: string) =>
  (
    await world.pool.query('select s.* from auth_sessions s join profiles p on p.id = s.user_id where p.email = $1', [
      email,
    ])
  ).rows;

describe('a session', () => {
  it('lasts from sign-in to sign-out', async () => {
    const { person } = await signedUp();
    const browser = browserAt(world.auth);
    const wrong = await browser.post('/api/auth/sign-in/email', { email: person.email, password: 'something else' });
    expect(await codeOf(wrong)).toEqual({ status: 401, code: 'INVALID_EMAIL_OR_PASSWORD' });

    expect((await browser.post('/api/auth/sign-in/email', person)).status).toBe(200);
    expect(await (await browser.get('/api/auth/get-session')).json()).toMatchObject({ user: { email: person.email } });

    const cookies = browser.headers();
    expect(await world.auth.sessionOf(cookies)).toMatchObject({ email: person.email });
    expect((await browser.post('/api/auth/sign-out', {})).status).toBe(200);
    expect(await world.auth.sessionOf(cookies)).toBeNull();
    expect(await (await browser.get('/api/auth/get-session')).json()).toBeNull();
  });

  it('that has ended is forgotten by the browser, so that the landing page takes nobody for signed in', async () => {
    const { browser, person } = await signedUp();
    expect((await browser.get('/api/auth/get-session')).headers.getSetCookie().join()).not.toContain('Max-Age=0');
    await world.pool.query('delete from auth_sessions where user_id = (select id from profiles where email = $1)', [
      person.email,
    ]);
    await expect.poll(() => world.auth.sessionOf(browser.headers())).toBeNull();
    const answer = await browser.get('/api/auth/get-session');
    expect(await answer.json()).toBeNull();
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^cuebird\.session_token=; Max-Age=0;/)]);
    const stranger = await browserAt(world.auth).get('/api/auth/get-session');
    expect(stranger.headers.getSetCookie()).toEqual([]);
  });

  it('is stored as a hash of the cookie’s token', async () => {
    const { browser, person } = await signedUp();
    const [row] = await rowsOf(person.email);
    const cookie = decodeURIComponent(browser.cookies.get('cuebird.session_token') ?? '');
    const [token = ''] = cookie.split('.');
    expect(token).toHaveLength(32);
    expect(row.token).toBe(hashOfToken(token));
    expect(JSON.stringify(row)).not.toContain(token);

    const thief = new Headers({
      cookie: `cuebird.session_token=${encodeURIComponent(cookie.replace(token, row.token))}`,
    });
    expect(await world.auth.sessionOf(thief)).toBeNull();
  });

  it('needs the signature of its cookie', async () => {
    const { browser } = await signedUp();
    const cookie = decodeURIComponent(browser.cookies.get('cuebird.session_token') ?? '');
    for (const forged of [
      cookie.split('.')[0] ?? '',
      `${cookie.slice(0, 40)}AAAA${cookie.slice(44)}`,
      '.',
      '',
      '%00',
    ]) {
      const headers = new Headers({ cookie: `cuebird.session_token=${encodeURIComponent(forged)}` });
      expect(await world.auth.sessionOf(headers)).toBeNull();
    }
  });

  it('is not cached by a lookup that started before it ended', async () => {
    const { browser, person } = await signedUp();
    const lookup = world.auth.sessionOf(browser.headers());
    world.auth.forget(browser.headers());
    expect(await lookup).toMatchObject({ email: person.email });
    await world.pool.query('delete from auth_sessions where id = $1', [(await rowsOf(person.email))[0].id]);
    expect(await world.auth.sessionOf(browser.headers())).toBeNull();
  });

  it('is a cookie that scripts cannot read and other sites cannot send along', async () => {
    const answer = await browserAt(world.auth).post('/api/auth/sign-up/email', newcomer());
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^cuebird\.session_token=/);
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Lax/);
    expect(cookie).toMatch(/Max-Age=7776000/);
    expect(cookie).not.toMatch(/Secure/);
  });

  it('is renewed by get-session, which tells its new end', async () => {
    const { browser, person } = await signedUp();
    await world.pool.query(
      `update auth_sessions s set expires_at = now() + interval '10 days', updated_at = now() - interval '20 days'
         from profiles p where p.id = s.user_id and p.email = $1`,
      [person.email],
    );
    const { session } = await (await browser.get('/api/auth/get-session')).json();
    expect(new Date(session.expiresAt).getTime()).toBeGreaterThan(Date.now() + 29 * 24 * 3600 * 1000);
    expect(await world.auth.sessionOf(browser.headers())).toMatchObject({ email: person.email });
  });

  it('does not exist without a cookie', async () => {
    expect(await world.auth.sessionOf(new Headers())).toBeNull();
  });
});

describe('how long a session lasts', () => {
  const timed = async () => {
    let now = Temporal.Now.instant();
    const { auth, pool, stop } = await startAuth({ now: () => now });
    onTestFinished(stop);
    const browser = browserAt(auth);
    await browser.post('/api/auth/sign-up/email', newcomer());
    const row = async () => (await pool.query('select updated_at, expires_at from auth_sessions')).rows[0];
    return {
      row,
      after: async (duration: Temporal.DurationLike) => {
        now = now.add(duration);
        return (await auth.sessionOf(browser.headers())) !== null;
      },
    };
  };
  const days = (count: number) => ({ hours: 24 * count });

  it('30 days without use', async () => {
    const { after } = await timed();
    expect(await after(days(29))).toBe(true);
    expect(await after(days(29))).toBe(true);
    expect(await after(days(31))).toBe(false);
  });

  it('90 days, however much it is used', async () => {
    const { after } = await timed();
    for (let used = 0; used < 8; used += 1) expect(await after(days(11))).toBe(true);
    expect(await after(days(1))).toBe(true);
    expect(await after({ hours: 25 })).toBe(false);
  });

  it('its use is written down at most once in ten minutes', async () => {
    const { row, after } = await timed();
    const beginning = await row();
    await after({ minutes: 9 });
    expect(await row()).toEqual(beginning);
    await after({ minutes: 2 });
    const renewed = await row();
    expect(renewed.updated_at.getTime()).toBeGreaterThan(beginning.updated_at.getTime());
    await after({ minutes: 9 });
    expect(await row()).toEqual(renewed);
  });
});

describe('a cached session', () => {
  it('is read again after 30 seconds, and ends with its own expiry', async () => {
    let now = Temporal.Now.instant();
    const { auth, pool, owner, stop } = await startAuth({ now: () => now });
    onTestFinished(stop);
    const browser = browserAt(auth);
    await browser.post('/api/auth/sign-up/email', newcomer());
    const name = async () => (await auth.sessionOf(browser.headers()))?.fullName;
    expect(await name()).toBe('Ann Example');

    // Without the trigger the change is not announced: the cached session is used until it expires.
    await owner.query('alter table profiles disable trigger announce_changed_person');
    await pool.query("update profiles set full_name = 'Ann Other'");
    now = now.add({ seconds: 29 });
    expect(await name()).toBe('Ann Example');
    now = now.add({ seconds: 2 });
    expect(await name()).toBe('Ann Other');

    await pool.query("update profiles set full_name = 'Ann Third'");
    auth.forget(browser.headers());
    expect(await name()).toBe('Ann Third');

    now = now.add({ hours: 24 * 30 });
    expect(await name()).toBeUndefined();
  });
});
