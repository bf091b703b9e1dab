import { argon2Sync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Conflict } from '#platform/errors.ts';
import { APP, browserAt, codeOf, PASSWORD, startAuth } from '#testing/auth.ts';

let world: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  world = await startAuth({ passwords: undefined });
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
  it('creates a user who is signed in at once, with the address in lower case and the name trimmed', async () => {
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
      sessionId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      email: 'mixed.case@example.com',
      fullName: 'Ann Example',
      isSystemAdmin: false,
      secondFactorAskedAt: null,
      isDemo: false,
    });
  });

  const hashOf = async (email: string) =>
    (
      await world.owner.query(
        'select a.password from auth_accounts a join profiles p on p.id = a.user_id where p.email = $1',
        [email],
      )
    ).rows[0].password;

  it('stores a salted Argon2id hash in place of the password, with the costs that OWASP advises', async () => {
    const { person } = await signedUp();
    const stored = await hashOf(person.email);
    const [, salt = '', hash] = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$([\w+/]{22})\$([\w+/]{43})$/.exec(stored) ?? [];
    const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
    const due = argon2Sync('argon2id', { message: PASSWORD, nonce: Buffer.from(salt, 'base64'), ...cost });
    expect(due.toString('base64').slice(0, 43)).toBe(hash);
    expect(await hashOf((await signedUp()).person.email)).not.toContain(salt);
  });

  it('reports that an address is taken', async () => {
    const { person } = await signedUp();
    const again = await browserAt(world.auth).post('/api/auth/sign-up/email', {
      ...person,
      email: person.email.toUpperCase(),
    });
    expect(await codeOf(again)).toEqual({ status: 422, code: 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL' });
  });

  it('creates one account for many simultaneous sign-ups with one address', async () => {
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

  it('refuses a password of five characters with a clear error and accepts one of six', async () => {
    const person = newcomer();
    const short = await browserAt(world.auth).post('/api/auth/sign-up/email', { ...person, password: '12345' });
    expect(await codeOf(short)).toEqual({ status: 400, code: 'PASSWORD_TOO_SHORT' });
    expect(
      (await browserAt(world.auth).post('/api/auth/sign-up/email', { ...person, password: 'v7#kQz' })).status,
    ).toBe(200);
  });

  it.each(['password1', 'Password1', 'QWERTYUIOP', '1qaz2wsx', '11111111'])(
    'refuses %s, which everybody tries, and says what to do',
    async (password) => {
      const answer = await browserAt(world.auth).post('/api/auth/sign-up/email', { ...newcomer(), password });
      expect([answer.status, await answer.json()]).toEqual([
        400,
        {
          code: 'PASSWORD_TOO_COMMON',
          message: expect.stringContaining('Choose another one: three or four unusual words'),
        },
      ]);
    },
  );

  it.each([
    ['a name with NUL', { name: 'A\u0000nn' }, 'VALIDATION_ERROR'],
    ['a blank name', { name: '  ' }, 'VALIDATION_ERROR'],
    ['a name of 201 characters', { name: 'a'.repeat(201) }, 'VALIDATION_ERROR'],
    ['an address with NUL', { email: 'a\u0000@example.com' }, 'INVALID_EMAIL'],
    ['an address of 321 characters', { email: `${'a'.repeat(309)}@example.com` }, 'INVALID_EMAIL'],
    ['what is no address', { email: 'ann' }, 'INVALID_EMAIL'],
    ['a password with NUL', { password: 'abc\u0000defg' }, 'VALIDATION_ERROR'],
    ['a password of 201 characters', { password: 'a'.repeat(201) }, 'VALIDATION_ERROR'],
  ])('refuses %s', async (_, wrong, code) => {
    const answer = await browserAt(world.auth).post('/api/auth/sign-up/email', { ...newcomer(), ...wrong });
    expect(await codeOf(answer)).toEqual({ status: 400, code });
  });

  it('accepts only the fields of the form: no role, no picture, no verified address', async () => {
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

describe('sign-in without a form', () => {
  it('signs a seeded user in with an issued session that get-session and sign-out accept', async () => {
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

  it('seeds a user once, who can also sign in with the password', async () => {
    const seed = { email: 'seed@example.com', fullName: 'Seed', password: PASSWORD, isDemo: false };
    await world.auth.createPerson(seed);
    expect((await browserAt(world.auth).post('/api/auth/sign-in/email', seed)).status).toBe(200);
    await expect(world.auth.createPerson(seed)).rejects.toThrow(Conflict);
    expect(world.mails).toEqual([]);
  });
});
