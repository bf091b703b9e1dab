import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APP, PASSWORD, startAuth } from '#testing/auth.ts';
import { AppError } from '#platform/errors.ts';

let world: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  world = await startAuth({ emailVerification: true, google: { clientId: 'client', clientSecret: 'secret' } });
});
afterAll(() => world.stop());

const fields = ['callbackURL', 'redirectTo', 'errorCallbackURL', 'newUserCallbackURL'];

const bodies = {
  '/sign-up/email': { name: 'Ann', email: 'ann@example.com', password: PASSWORD },
  '/sign-in/email': { email: 'ann@example.com', password: PASSWORD },
  '/sign-in/social': { provider: 'google' },
  '/sign-out': {},
  '/send-verification-email': { email: 'ann@example.com' },
  '/request-password-reset': { email: 'ann@example.com' },
  '/reset-password': { newPassword: PASSWORD, token: 'token' },
};
const pages = ['/get-session?x=1', '/callback/google?state=x&code=1', '/error?x=1'];

const posted = (path: string, body: object) =>
  new Request(`${APP}/api/auth${path}`, {
    method: 'POST',
    headers: { origin: APP, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** The refusal with its field, or the status of the answer. */
async function outcomeOf(request: Request): Promise<number | string> {
  try {
    return (await world.auth.handle(request)).status;
  } catch (error) {
    if (error instanceof AppError) return `${error.code} ${error.fields?.map(({ path }) => path).join()}`;
    throw error;
  }
}

const odd = [
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/..//evil.example',
  '/%2F/evil.example',
  '/%5c',
  '/dash\u0000board',
  '/dash\r\nboard',
  '/%00',
  '/%zz',
  '/\ud800',
  'javascript:alert(1)',
  'http://',
  'http://user@localhost:3000/',
  'http://localhost:99999',
  'dashboard',
  '',
  'a'.repeat(501),
];

describe('a return address', () => {
  it.each(odd)('is refused with the name of its field when it is %j, in every form', async (value) => {
    for (const [path, body] of Object.entries(bodies))
      for (const field of fields)
        expect(await outcomeOf(posted(path, { ...body, [field]: value })), `${path} ${field}`).toBe(
          `invalid_request ${field}`,
        );
  });

  it.each(odd.filter((value) => value.isWellFormed()))('is refused when it is %j, in every link', async (value) => {
    for (const page of pages)
      for (const field of fields) {
        const request = new Request(`${APP}/api/auth${page}&${field}=${encodeURIComponent(value)}`);
        expect(await outcomeOf(request), `${page} ${field}`).toBe(`invalid_request ${field}`);
      }
  });

  it.each([5, null, {}, ['/dashboard']])('is refused when it is %j', async (value) => {
    expect(await outcomeOf(posted('/sign-in/email', { ...bodies['/sign-in/email'], callbackURL: value }))).toBe(
      'invalid_request callbackURL',
    );
  });

  it('is accepted when it is on this site, in ASCII', async () => {
    const person = { email: 'yan@example.com', fullName: 'Yan', password: PASSWORD, isDemo: false };
    await world.auth.createPerson(person);
    const open = async (callbackURL: string) =>
      (await world.auth.handle(posted('/sign-in/email', { ...person, callbackURL }))).headers.get('location');
    expect(await open('/auth')).toBe('/auth');
    expect(await open('/auth?from=€ 1#über')).toBe('/auth?from=%E2%82%AC%201#%C3%BCber');
    expect(await open('http://127.0.0.1:3000/auth')).toBe('http://127.0.0.1:3000/auth');
  });

  it('with any characters does not fail a sign-in with the correct password', async () => {
    const person = { email: 'zoe@example.com', fullName: 'Zoe', password: PASSWORD, isDemo: false };
    await world.auth.createPerson(person);
    const answer = await world.auth.handle(posted('/sign-in/email', { ...person, callbackURL: '/über?x=€' }));
    expect([answer.status, answer.headers.get('location')]).toEqual([200, '/%C3%BCber?x=%E2%82%AC']);
  });

  it('never causes a server error', async () => {
    const value = fc.oneof(
      fc.webUrl(),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }).map((text) => `/${text}`),
      fc.constantFrom(...odd, '/€', '/a b', '/?', '/#', 'http://localhost:3000', 'http://localhost:99999/'),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...fields), value, fc.nat(), async (field, address, pick) => {
        const forms = Object.entries(bodies).filter(([path]) => !/email$|reset-password$/.test(path));
        const [path, body] = forms[pick % forms.length] ?? ['/sign-out', {}];
        const link = new URL(`${APP}/api/auth${pages[pick % pages.length]}`);
        link.searchParams.set(field, address);
        for (const request of [posted(path, { ...body, [field]: address }), new Request(link)]) {
          const outcome = await outcomeOf(request);
          if (typeof outcome === 'number') expect(outcome).toBeLessThan(500);
        }
      }),
      { numRuns: 200, seed: 3 },
    );
  });
});
