import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { APP, browserAt, codeOf, PASSWORD, startAuth } from '#testing/auth.ts';
import { Invalid, NotFound } from '#platform/errors.ts';

let world: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  world = await startAuth();
});
afterAll(() => world.stop());

let count = 0;
const newcomer = () => ({ name: 'Ann Example', email: `ann${(count += 1)}@example.com`, password: PASSWORD });

describe('the mounted routes', () => {
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
    ['GET', '/api/auth/verify-email?token=a.b.c'],
    ['HEAD', '/api/auth/verify-email?token=a.b.c'],
    ['GET', '/api/auth/reset-password/abc?callbackURL=/auth'],
    ['PUT', '/api/auth/sign-out'],
    ['POST', '/api/auth/toString'],
    ['GET', '/api/auth'],
  ])('exclude %s %s', async (method, path) => {
    const request = new Request(`${APP}${path}`, { method, headers: { origin: APP } });
    await expect(world.auth.handle(request)).rejects.toThrow(NotFound);
  });

  it('never answer a malformed body with a server error', async () => {
    const paths = [
      '/sign-up/email',
      '/sign-in/email',
      '/sign-in/social',
      '/sign-out',
      '/request-password-reset',
      '/check-reset-link',
      '/reset-password',
      '/verify-email',
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
        const answer = await world.auth.handle(request).catch((error: unknown) => error);
        if (answer instanceof Response) expect(answer.status).toBeLessThan(500);
        else expect(answer).toBeInstanceOf(Invalid);
      }),
      { numRuns: 150, seed: 1 },
    );
  });

  it('answer an error of Google without failing', async () => {
    expect((await browserAt(world.auth).get('/api/auth/error?error=%3Cscript%3E')).status).toBeLessThan(500);
  });

  it('refuse NUL in an address', async () => {
    const answer = await browserAt(world.auth).get('/api/auth/callback/google?state=%00&code=1');
    expect(await codeOf(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
  });

  it('send no telemetry', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    onTestFinished(() => fetched.mockRestore());
    const { auth, stop } = await startAuth();
    onTestFinished(stop);
    await browserAt(auth).post('/api/auth/sign-up/email', newcomer());
    expect(fetched).not.toHaveBeenCalled();
  });
});
