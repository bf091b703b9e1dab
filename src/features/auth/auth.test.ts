import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hashToken } from '#features/auth/auth.adapter.ts';
import { APP, browserAt, codeOf, PASSWORD, startAuth } from '#testing/auth.ts';
import { Conflict, NotFound } from '#platform/errors.ts';

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

describe('signing up', () => {
  it('makes a person who is signed in at once, with the address in lower case and the name trimmed', async () => {
    const browser = browserAt(world.auth);
    const { password } = newcomer();
    await browser.post('/api/auth/sign-up/email', {
      name: '  Ann Example ',
      email: ' Mixed.Case@Example.COM ',
      password,
    });
    const person = await world.auth.sessionOf(browser.headers());
    expect(person).toEqual({
      userId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      email: 'mixed.case@example.com',
      fullName: 'Ann Example',
      isSystemAdmin: false,
      isDemo: false,
    });
  });

  it('tells that an address is taken', async () => {
    const { person } = await signedUp();
    const again = await browserAt(world.auth).post('/api/auth/sign-up/email', {
      ...person,
      email: person.email.toUpperCase(),
    });
    expect(await codeOf(again)).toEqual({ status: 422, code: 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL' });
  });

  it('makes one account of many simultaneous sign-ups with one address', async () => {
    const person = newcomer();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => browserAt(world.auth).post('/api/auth/sign-up/email', person)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422, 422, 422, 422]);
    for (const answer of answers.filter(({ status }) => status === 422)) {
      expect((await codeOf(answer)).code).toBe('USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL');
    }
    const { rows } = await world.pool.query(
      'select count(a.id)::int as accounts from profiles p join auth_accounts a on a.user_id = p.id where p.email = $1',
      [person.email],
    );
    expect(rows).toEqual([{ accounts: 1 }]);
  });

  it('refuses a password of five characters by name and takes one of six', async () => {
    const person = newcomer();
    const short = await browserAt(world.auth).post('/api/auth/sign-up/email', { ...person, password: '12345' });
    expect(await codeOf(short)).toEqual({ status: 400, code: 'PASSWORD_TOO_SHORT' });
    expect(
      (await browserAt(world.auth).post('/api/auth/sign-up/email', { ...person, password: '123456' })).status,
    ).toBe(200);
  });

  it.each([
    ['a name with NUL', { name: 'A\u0000nn' }, 'VALIDATION_ERROR'],
    ['a blank name', { name: '  ' }, 'VALIDATION_ERROR'],
    ['a name of 201 characters', { name: 'a'.repeat(201) }, 'VALIDATION_ERROR'],
    ['an address with NUL', { email: 'a\u0000@example.com' }, 'INVALID_EMAIL'],
    ['an address of 321 characters', { email: `${'a'.repeat(309)}@example.com` }, 'INVALID_EMAIL'],
    ['what is no address', { email: 'ann' }, 'INVALID_EMAIL'],
    ['a password with NUL', { password: 'abc\u0000defg' }, 'VALIDATION_ERROR'],
    ['a password of 201 characters', { password: 'a'.repeat(201) }, 'VALIDATION_ERROR'],
    ['a return address with NUL', { callbackURL: '/dash\u0000board' }, 'VALIDATION_ERROR'],
  ])('refuses %s', async (_, wrong, code) => {
    const answer = await browserAt(world.auth).post('/api/auth/sign-up/email', { ...newcomer(), ...wrong });
    expect(await codeOf(answer)).toEqual({ status: 400, code });
  });

  it('takes nothing but the form: no role, no picture, no confirmed address', async () => {
    const { email, ...rest } = newcomer();
    const extras = {
      is_system_admin: true,
      isSystemAdmin: true,
      emailVerified: true,
      image: 'x'.repeat(9000),
      id: crypto.randomUUID(),
    };
    await browserAt(world.auth).post('/api/auth/sign-up/email', { email, ...rest, ...extras });
    const { rows } = await world.pool.query('select * from profiles where email = $1', [email]);
    expect(rows).toMatchObject([{ is_system_admin: false, email_verified: false, avatar_url: null }]);
    expect(rows[0].id).not.toBe(extras.id);
  });
});

describe('a session', () => {
  it('goes from sign-in over get-session to sign-out', async () => {
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

  it('rests in the database as a hash of what the cookie holds', async () => {
    const { browser, person } = await signedUp();
    const [row] = await rowsOf(person.email);
    const cookie = decodeURIComponent(browser.cookies.get('cuebird.session_token') ?? '');
    const [token = ''] = cookie.split('.');
    expect(token).toHaveLength(32);
    expect(row.token).toBe(hashToken(token));
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

  it('is not remembered by a lookup that was under way when it was forgotten', async () => {
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
    expect(cookie).toMatch(/Max-Age=2592000/);
    expect(cookie).not.toMatch(/Secure/);
  });

  it('is prolonged by get-session once it is a day old', async () => {
    const { browser, person } = await signedUp();
    await world.pool.query("update auth_sessions set expires_at = now() + interval '10 days' where id = $1", [
      (await rowsOf(person.email))[0].id,
    ]);
    const answer = await browser.get('/api/auth/get-session');
    expect(answer.headers.getSetCookie().join()).toMatch(/cuebird\.session_token=.*Max-Age=2592000/);
    const [row] = await rowsOf(person.email);
    expect(row.expires_at.getTime()).toBeGreaterThan(Date.now() + 29 * 24 * 3600 * 1000);
    expect(await world.auth.sessionOf(browser.headers())).toMatchObject({ email: person.email });
  });

  it('is nobody without a cookie', async () => {
    expect(await world.auth.sessionOf(new Headers())).toBeNull();
  });
});

describe('a session that is remembered', () => {
  it('is asked for again after 30 seconds, and ends with its own expiry', async () => {
    let now = Temporal.Now.instant();
    const { auth, pool, stop } = await startAuth({ now: () => now });
    onTestFinished(stop);
    const browser = browserAt(auth);
    await browser.post('/api/auth/sign-up/email', newcomer());
    const name = async () => (await auth.sessionOf(browser.headers()))?.fullName;
    expect(await name()).toBe('Ann Example');

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

describe('who may call', () => {
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

  it('refuses a POST with a cookie that does not say where it comes from', async () => {
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

  it('refuses a host name that is not this machine, whatever it resolves to', async () => {
    const stranger = browserAt(world.auth, 'http://evil.example:3000');
    expect((await stranger.post('/api/auth/sign-up/email', newcomer())).status).toBe(403);
    expect(await codeOf(await stranger.get('/api/auth/get-session'))).toEqual({ status: 403, code: 'INVALID_HOST' });
  });

  it('refuses to lead to another site afterwards', async () => {
    const { person } = await signedUp();
    const answer = await browserAt(world.auth).post('/api/auth/sign-in/email', {
      ...person,
      callbackURL: 'https://evil.example/',
    });
    expect(answer.status).toBe(403);
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

describe('what is mounted', () => {
  it.each([
    ['GET', '/api/auth/list-sessions'],
    ['POST', '/api/auth/update-user'],
    ['POST', '/api/auth/change-password'],
    ['POST', '/api/auth/delete-user'],
    ['POST', '/api/auth/change-email'],
    ['GET', '/api/auth/ok'],
    ['GET', '/api/auth//get-session'],
    ['GET', '/api/auth/callback/github'],
    ['GET', '/api/auth/sign-in/email'],
    ['PUT', '/api/auth/sign-out'],
    ['POST', '/api/auth/toString'],
    ['GET', '/api/auth'],
  ])('%s %s is not', async (method, path) => {
    const request = new Request(`${APP}${path}`, { method, headers: { origin: APP } });
    await expect(world.auth.handle(request)).rejects.toThrow(NotFound);
  });

  it('answers no body at all with a failure of the server', async () => {
    const paths = [
      '/sign-up/email',
      '/sign-in/email',
      '/sign-in/social',
      '/sign-out',
      '/request-password-reset',
      '/reset-password',
    ];
    const members = fc.dictionary(
      fc.constantFrom('name', 'email', 'password', 'newPassword', 'token', 'provider', 'callbackURL', 'redirectTo'),
      fc.oneof(
        fc.jsonValue(),
        fc.constantFrom('a@example.com', 'secret123', '\u0000', '\ud800', '//evil.example', '%00'),
      ),
    );
    const body = fc.oneof(
      fc.json(),
      members.map((value) => JSON.stringify(value)),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), body, async (path, text) => {
        const headers = { origin: APP, 'content-type': 'application/json' };
        const request = new Request(`${APP}/api/auth${path}`, { method: 'POST', headers, body: text });
        expect((await world.auth.handle(request)).status).toBeLessThan(500);
      }),
      { numRuns: 150, seed: 1 },
    );
  });

  it.each([
    '/reset-password/abc?callbackURL=/auth',
    '/verify-email',
    '/verify-email?token=a.b.c&callbackURL=/dashboard',
    '/error?error=%3Cscript%3E',
  ])('answers %s without failing', async (path) => {
    expect((await browserAt(world.auth).get(`/api/auth${path}`)).status).toBeLessThan(500);
  });

  it.each(['/verify-email?token=%00', '/callback/google?state=%00&code=1'])('refuses NUL in %s', async (path) => {
    const answer = await browserAt(world.auth).get(`/api/auth${path}`);
    expect(await codeOf(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
  });

  it('calls nobody: there is no telemetry', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    onTestFinished(() => fetched.mockRestore());
    const { auth, stop } = await startAuth();
    onTestFinished(stop);
    await browserAt(auth).post('/api/auth/sign-up/email', newcomer());
    expect(fetched).not.toHaveBeenCalled();
  });
});

describe('sign-in without a form', () => {
  it('signs a seeded person in by an issued session that get-session and sign-out know', async () => {
    const { id } = await world.auth.createPerson({
      email: 'Demo@Example.com',
      fullName: 'Demo',
      password: PASSWORD,
      isDemo: true,
    });
    const browser = browserAt(world.auth);
    const cookies = await world.auth.issueSession(id, new Request(APP, { headers: { 'user-agent': 'A browser' } }));
    for (const cookie of cookies) browser.keep(cookie);
    expect(cookies.join()).toMatch(/HttpOnly.*SameSite=Lax/);

    expect(await world.auth.sessionOf(browser.headers())).toMatchObject({
      userId: id,
      email: 'demo@example.com',
      isDemo: true,
    });
    expect(await (await browser.get('/api/auth/get-session')).json()).toMatchObject({ user: { id } });
    await browser.post('/api/auth/sign-out', {});
    expect(await rowsOf('demo@example.com')).toEqual([]);
  });

  it('seeds a person who can also sign in with the password, once', async () => {
    const seed = { email: 'seed@example.com', fullName: 'Seed', password: PASSWORD, isDemo: false };
    await world.auth.createPerson(seed);
    expect((await browserAt(world.auth).post('/api/auth/sign-in/email', seed)).status).toBe(200);
    await expect(world.auth.createPerson(seed)).rejects.toThrow(Conflict);
    expect(world.mails).toEqual([]);
  });
});
