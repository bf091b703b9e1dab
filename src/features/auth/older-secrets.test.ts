import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Auth } from '#features/auth/auth.service.ts';
import { APP, browserAt, PASSWORD, startAuth } from '#testing/auth.ts';
import { authenticatorOf } from '#testing/authenticator.ts';

const older = 'the secret from before the rotation, long enough';
const newer = 'the secret from after the rotation, long enough';

let world: Awaited<ReturnType<typeof startAuth>>;
/** Sign-in in a process that was started after the rotation. */
let after: Auth;
/** The same once the older key was removed. */
let alone: Auth;
beforeAll(async () => {
  world = await startAuth({ secret: older });
  after = await world.another({ secret: newer, olderSecrets: () => [older] });
  alone = await world.another({ secret: newer });
});
afterAll(async () => {
  after.close();
  alone.close();
  await world.stop();
});

let count = 0;
const newcomer = () => ({ name: 'Ann', email: `ann${(count += 1)}@example.com`, password: PASSWORD });

async function signedUp() {
  const browser = browserAt(world.auth);
  const person = newcomer();
  expect((await browser.post('/api/auth/sign-up/email', person)).status).toBe(200);
  return { browser, person };
}

/** The same browser, which another process answers from now on. */
function moved({ cookies }: ReturnType<typeof browserAt>, auth: Auth) {
  const browser = browserAt(auth);
  for (const [name, value] of cookies) browser.keep(`${name}=${value}`);
  return browser;
}

const isIn = async (browser: ReturnType<typeof browserAt>, auth: Auth) =>
  (await auth.sessionOf(browser.headers())) !== null;

describe('after a rotation of the key', () => {
  it('a session goes on, and its cookie is renewed with the next visit', async () => {
    const { browser, person } = await signedUp();
    expect(await isIn(browser, after)).toBe(true);
    expect(await isIn(browser, alone)).toBe(false);
    const visiting = moved(browser, after);
    const answer = await visiting.get('/api/auth/get-session');
    expect(await answer.json()).toMatchObject({ user: { email: person.email } });
    expect(answer.headers.getSetCookie().join()).toMatch(/HttpOnly/);
    expect(await isIn(visiting, alone)).toBe(true);
    expect((await visiting.get('/api/auth/get-session')).headers.getSetCookie()).toEqual([]);
  });

  it('somebody with a cookie from before signs out', async () => {
    const { browser } = await signedUp();
    const leaving = moved(browser, after);
    expect((await leaving.post('/api/auth/sign-out', {})).status).toBe(200);
    expect(await isIn(browser, after)).toBe(false);
    expect(leaving.cookies.size).toBe(0);
  });

  it('a cookie that nobody signed is none', async () => {
    const { browser } = await signedUp();
    const [[name, value] = ['', '']] = browser.cookies;
    const forged = browserAt(after);
    forged.keep(`${name}=${value.slice(0, -6)}AAAAAA`);
    expect(await isIn(forged, after)).toBe(false);
  });

  it('a link from before confirms an address, until the older key is removed', async () => {
    const mailing = await world.another({ secret: older, emailVerification: true });
    const confirming = await world.another({ secret: newer, olderSecrets: () => [older], emailVerification: true });
    const person = newcomer();
    await browserAt(mailing).post('/api/auth/sign-up/email', person);
    await mailing.mailSent();
    const text = world.mails.findLast(({ to }) => to === person.email)?.text ?? '';
    const token = new URL(/http:\S+/.exec(text)?.[0] ?? '', APP).searchParams.get('token');
    const press = async (auth: Auth, given = token) =>
      (await browserAt(auth).post('/api/auth/verify-email', { token: given })).status;
    expect(await press(alone)).not.toBe(200);
    expect(await press(confirming, `${token?.slice(0, -4)}AAAA`)).not.toBe(200);
    expect(await press(confirming)).toBe(200);
    expect((await browserAt(confirming).post('/api/auth/sign-in/email', person)).status).toBe(200);
    mailing.close();
    confirming.close();
  });

  it('a code that was mailed before proves who one is', async () => {
    const { person } = await signedUp();
    const { rows } = await world.owner.query(
      'update auth_accounts set password = null where user_id = (select id from profiles where email = $1) returning user_id',
      [person.email],
    );
    const browser = browserAt(world.auth);
    for (const line of await world.auth.issueSession(rows[0].user_id, new Request(APP))) browser.keep(line);
    const who = await world.auth.requirePerson(browser.headers());
    await world.auth.reauthentication.mailCode(who);
    await world.auth.mailSent();
    const code = /\b\d{6}\b/.exec(world.mails.findLast(({ to }) => to === person.email)?.text ?? '')?.[0] ?? '';
    const prove = (auth: Auth) =>
      auth.reauthentication.reauthenticate(who, { mailed_code: code }, { clientAddress: null });
    await expect(prove(alone)).rejects.toThrow();
    expect(await prove(after)).toMatchObject({ method: 'mailed_code' });
  });

  it('an authenticator app and recovery codes from before still count', async () => {
    const { browser, person } = await signedUp();
    const begun = await browser.post('/api/auth/two-factor/enable', { password: PASSWORD });
    const { totpURI, backupCodes }: { totpURI: string; backupCodes: string[] } = await begun.json();
    const app = authenticatorOf(totpURI);
    await browser.post('/api/auth/two-factor/verify-totp', { code: app.code() });
    const signIn = async () => {
      const another = browserAt(after);
      expect((await another.post('/api/auth/sign-in/email', person)).status).toBe(200);
      return another;
    };
    const verify = { code: app.code(Temporal.Now.instant(), 1) };
    expect((await (await signIn()).post('/api/auth/two-factor/verify-totp', verify)).status).toBe(200);
    const recover = { code: backupCodes[0] };
    expect((await (await signIn()).post('/api/auth/two-factor/verify-backup-code', recover)).status).toBe(200);
  });

  it('what was sealed before keys had versions still opens', async () => {
    const { browser, person } = await signedUp();
    const begun = await browser.post('/api/auth/two-factor/enable', { password: PASSWORD });
    const { totpURI }: { totpURI: string } = await begun.json();
    const app = authenticatorOf(totpURI);
    await world.owner.query(
      "update auth_two_factors set secret = regexp_replace(secret, '^\\$ba\\$\\d+\\$', '') where user_id = (select id from profiles where email = $1)",
      [person.email],
    );
    const verified = moved(browser, after).post('/api/auth/two-factor/verify-totp', { code: app.code() });
    expect((await verified).status).toBe(200);
  });
});
