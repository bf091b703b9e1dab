import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Auth } from '#features/auth/auth.service.ts';
import { createLog } from '#platform/log.ts';
import { openPubSub } from '#platform/pubsub.ts';
import { authenticatorOf } from '#testing/authenticator.ts';
import { browserAt, PASSWORD, startAuth } from '#testing/auth.ts';

/** A server in Google's place, which names this person. */
const google = { sub: '1', email: '', name: 'Gina', email_verified: true };
let googleServer: Server;
let world: Awaited<ReturnType<typeof startAuth>>;
/** What the clock of a test is ahead by. */
let ahead = Temporal.Duration.from({ seconds: 0 });
const now = () => Temporal.Now.instant().add(ahead);

beforeAll(async () => {
  googleServer = createServer((_, response) => {
    const claims = Buffer.from(JSON.stringify(google)).toString('base64url');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ access_token: 'at', id_token: `e30.${claims}.x` }));
  }).listen(0, '127.0.0.1');
  await once(googleServer, 'listening');
  const address = googleServer.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (url: string | URL, init?: RequestInit) =>
    fetch(String(url).replace('https://oauth2.googleapis.com', `http://127.0.0.1:${port}`), init),
  );
  world = await startAuth({ google: { clientId: 'client', clientSecret: 'secret' }, rateLimit: true, now });
});
beforeEach(() => {
  ahead = Temporal.Duration.from({ seconds: 0 });
});
afterAll(async () => {
  vi.unstubAllGlobals();
  googleServer.close().closeAllConnections();
  await world.stop();
});

type Browser = ReturnType<typeof browserAt>;

let count = 0;
const newcomer = () => ({ name: 'Ann Example', email: `ann${(count += 1)}@example.com`, password: PASSWORD });

/** The status and the code of a refusal, in either of its two shapes. */
async function outcomeOf(response: Response) {
  const { error, code }: { error?: { code: string }; code?: string } = response.ok ? {} : await response.json();
  return { status: response.status, code: error?.code ?? code };
}
/** Refusals of ours are thrown, and the HTTP server gives them their status. */
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing was refused',
    (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
  );

const verify = (browser: Browser, code: string) => browser.post('/api/auth/two-factor/verify-totp', { code });
const recover = (browser: Browser, code: string) => browser.post('/api/auth/two-factor/verify-backup-code', { code });
const wrongCode = 'invalid_request: This is not the code of your app';
const codeDue = 'second_factor_required: Enter the code of your authenticator app first';

async function enable(browser: Browser, body: object = { password: PASSWORD }) {
  const begun = await browser.post('/api/auth/two-factor/enable', body);
  expect(begun.status).toBe(200);
  const { totpURI, backupCodes }: { totpURI: string; backupCodes: string[] } = await begun.json();
  const app = authenticatorOf(totpURI);
  expect((await verify(browser, app.code())).status).toBe(200);
  return { app, uri: totpURI, codes: backupCodes };
}

/** Somebody with a second factor, in the browser where it was turned on. */
async function protectedPerson() {
  const browser = browserAt(world.auth);
  const person = newcomer();
  expect((await browser.post('/api/auth/sign-up/email', person)).status).toBe(200);
  return { browser, person, ...(await enable(browser)) };
}

async function signIn(person: object, auth: Auth = world.auth) {
  const browser = browserAt(auth);
  expect((await browser.post('/api/auth/sign-in/email', person)).status).toBe(200);
  return browser;
}

async function continueWithGoogle(email: string) {
  Object.assign(google, { sub: email, email });
  const browser = browserAt(world.auth);
  const { url }: { url: string } = await (
    await browser.post('/api/auth/sign-in/social', { provider: 'google' })
  ).json();
  const state = new URL(url).searchParams.get('state');
  expect((await browser.get(`/api/auth/callback/google?code=a-code&state=${state}`)).status).toBe(302);
  return browser;
}

const isIn = async (browser: Browser, auth: Auth = world.auth) => (await auth.sessionOf(browser.headers())) !== null;
const subjectsTo = async (email: string) => {
  await world.auth.mailSent();
  return world.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
};

/** No path but those of the second factor, and those that begin a sign-in, knows a session without it. */
async function expectRefusedEverywhere(browser: Browser) {
  expect(await isIn(browser)).toBe(false);
  expect(await refusalOf(world.auth.requirePerson(browser.headers()))).toBe(codeDue);
  expect(await refusalOf(browser.get('/api/auth/get-session'))).toBe(codeDue);
  for (const path of ['enable', 'disable', 'generate-backup-codes'])
    expect(await refusalOf(browser.post(`/api/auth/two-factor/${path}`, {}))).toBe(codeDue);
}

const passLocks = () =>
  world.pool.query("update auth_two_factors set locked_until = locked_until - interval '15 minutes'");

describe('a second factor', () => {
  it('is on after the first right code, ends every other session, and is told by mail', async () => {
    const browser = browserAt(world.auth);
    const person = newcomer();
    await browser.post('/api/auth/sign-up/email', person);
    const elsewhere = await signIn(person);
    expect(await refusalOf(browser.post('/api/auth/two-factor/enable', {}))).toMatch(/Enter your password/);
    expect(await refusalOf(browser.post('/api/auth/two-factor/enable', { password: 'wrong' }))).toMatch(
      /This is not your password/,
    );
    const begun = await browser.post('/api/auth/two-factor/enable', { password: PASSWORD });
    const { totpURI, backupCodes }: { totpURI: string; backupCodes: string[] } = await begun.json();
    expect(totpURI).toMatch(/^otpauth:\/\/totp\/Cuebird:ann\d+%40example\.com\?/);
    expect(new Set(backupCodes).size).toBe(10);
    expect(await refusalOf(verify(browser, '000000'))).toBe(wrongCode);
    // Nothing is on before the code: who has scanned nothing is not locked out.
    expect(await isIn(await signIn(person))).toBe(true);

    expect((await verify(browser, authenticatorOf(totpURI).code())).status).toBe(200);
    expect([await isIn(browser), await isIn(elsewhere)]).toEqual([true, false]);
    expect(await subjectsTo(person.email)).toEqual(['Two-factor authentication is on']);
    const { rows } = await world.pool.query(
      'select t.* from auth_two_factors t join profiles p on p.id = t.user_id where p.email = $1',
      [person.email],
    );
    const secret = new URL(totpURI).searchParams.get('secret') ?? '';
    for (const plain of [secret, backupCodes[0] ?? '']) expect(JSON.stringify(rows)).not.toContain(plain);
  });

  it('is asked for after the password, and a session without it is none', async () => {
    const { person, app } = await protectedPerson();
    const browser = browserAt(world.auth);
    const answer = await browser.post('/api/auth/sign-in/email', person);
    expect(await answer.json()).toEqual({ twoFactorRedirect: true, twoFactorMethods: ['totp'] });
    await expectRefusedEverywhere(browser);
    expect(await refusalOf(verify(browser, '000000'))).toBe(wrongCode);
    await expectRefusedEverywhere(browser);
    const code = app.code(now(), 1);
    expect((await verify(browser, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200);
    expect(await isIn(browser)).toBe(true);
    expect(await (await browser.get('/api/auth/get-session')).json()).toMatchObject({ user: { email: person.email } });
  });

  it('gives the session another token, so that one from before the code lets nobody in', async () => {
    const browser = browserAt(world.auth);
    const person = newcomer();
    await browser.post('/api/auth/sign-up/email', person);
    const headersBefore = browser.headers();
    const { app, codes } = await enable(browser);
    expect([await world.auth.sessionOf(headersBefore), await isIn(browser)]).toEqual([null, true]);

    for (const pass of [
      (waiting: Browser) => verify(waiting, app.code(now(), 1)),
      (waiting: Browser) => recover(waiting, codes[0] ?? ''),
    ]) {
      const waiting = await signIn(person);
      const stolen = waiting.headers();
      expect((await pass(waiting)).status).toBe(200);
      expect([await world.auth.sessionOf(stolen), await isIn(waiting)]).toEqual([null, true]);
      expect(await (await waiting.get('/api/auth/get-session')).json()).toMatchObject({
        user: { email: person.email },
      });
    }
  });

  it('is asked for after Google too, and only of who has it', async () => {
    expect(await isIn(await continueWithGoogle('without@example.com'))).toBe(true);
    const browser = await continueWithGoogle('gina@example.com');
    const { app } = await enable(browser, {});
    const again = await continueWithGoogle('gina@example.com');
    await expectRefusedEverywhere(again);
    expect((await verify(again, app.code(now(), 1))).status).toBe(200);
    expect(await isIn(again)).toBe(true);
  });

  it('is asked for after a link of a mail: of a verified address, and of a new password', async () => {
    const strict = await startAuth({ emailVerification: true });
    const mailbox = async (email: string) => {
      await strict.auth.mailSent();
      return strict.mails.findLast(({ to }) => to === email)?.text ?? '';
    };
    const tokenIn = (text: string) => /token=([\w.-]+)/.exec(text)?.[1] ?? '';
    const browser = browserAt(strict.auth);
    const person = newcomer();
    await browser.post('/api/auth/sign-up/email', person);
    await browser.post('/api/auth/verify-email', { token: tokenIn(await mailbox(person.email)) });
    const { app } = await enable(browser);

    await strict.pool.query('update profiles set email_verified = false');
    const verified = browserAt(strict.auth);
    await verified.post('/api/auth/send-verification-email', { email: person.email });
    const answer = await verified.post('/api/auth/verify-email', { token: tokenIn(await mailbox(person.email)) });
    expect(answer.headers.getSetCookie().join()).toContain('cuebird.session_token=');
    expect(await isIn(verified, strict.auth)).toBe(false);

    await browserAt(strict.auth).post('/api/auth/request-password-reset', { email: person.email });
    const token = tokenIn(await mailbox(person.email));
    await verified.post('/api/auth/reset-password', { newPassword: 'another password', token });
    const signedIn = await signIn({ ...person, password: 'another password' }, strict.auth);
    expect(await isIn(signedIn, strict.auth)).toBe(false);
    expect((await verify(signedIn, app.code(now(), 1))).status).toBe(200);
    expect(await isIn(signedIn, strict.auth)).toBe(true);
    await strict.stop();
  });

  it('holds in every process, where sessions were cached before', async () => {
    const pubsub = await openPubSub(world.listenUrl, createLog('silent'));
    const second = await world.another({ pubsub });
    const browser = browserAt(world.auth);
    const person = newcomer();
    await browser.post('/api/auth/sign-up/email', person);
    const elsewhere = await signIn(person, second);
    expect(await isIn(elsewhere, second)).toBe(true);
    const { app } = await enable(browser);
    await expect.poll(() => isIn(elsewhere, second)).toBe(false);
    const waiting = await signIn(person, second);
    expect([await isIn(waiting, second), await isIn(waiting)]).toEqual([false, false]);
    expect((await verify(waiting, app.code(now(), 1))).status).toBe(200);
    expect([await isIn(waiting, second), await isIn(waiting)]).toEqual([true, true]);
    second.close();
    await pubsub.close();
  });

  it('takes each code once, also of two that arrive together, and none from before it', async () => {
    const { person, app } = await protectedPerson();
    const [one, other] = [await signIn(person), await signIn(person)];
    const code = app.code(now(), 1);
    const answers = await Promise.allSettled([verify(one, code), verify(other, code)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const later = await signIn(person);
    for (const used of [code, app.code(now())])
      expect(await refusalOf(verify(later, used))).toBe(
        'invalid_request: This code was used already: wait for the next one',
      );
    ahead = Temporal.Duration.from({ seconds: 60 });
    expect((await verify(later, app.code(now()))).status).toBe(200);
  });

  it('refuses codes for 15 minutes after ten wrong ones, and still takes a recovery code', async () => {
    const { person, app, codes } = await protectedPerson();
    ahead = Temporal.Duration.from({ seconds: 60 });
    const browser = await signIn(person);
    const guesses = await Promise.all(Array.from({ length: 14 }, () => refusalOf(verify(browser, 'guess'))));
    expect(guesses.filter((guess) => guess === wrongCode)).toHaveLength(10);
    const locked = await refusalOf(verify(browser, app.code(now())));
    expect(locked).toMatch(
      /^rate_limited: Too many wrong codes\. A recovery code still works\. Try again in 15 minutes/,
    );
    expect((await recover(browser, codes[0] ?? '')).status).toBe(200);
    expect(await isIn(browser)).toBe(true);
    await passLocks();
    expect((await verify(await signIn(person), app.code(now()))).status).toBe(200);
  });

  it('takes fifty codes a day', async () => {
    const { person } = await protectedPerson();
    const results: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const browser = await signIn(person);
      for (let at = 0; at < 10; at += 1) results.push(await refusalOf(verify(browser, 'guess')));
      await passLocks();
    }
    // One right code was counted when it was turned on.
    expect(results.filter((result) => result === wrongCode)).toHaveLength(49);
    expect(results.at(-1)).toMatch(
      /^rate_limited: Too many codes\. A recovery code still works\. Try again in \d+ hours/,
    );
  });

  it('is waited for during 15 minutes; then the session has ended', async () => {
    const { person, app } = await protectedPerson();
    const browser = await signIn(person);
    ahead = Temporal.Duration.from({ minutes: 16 });
    expect(await refusalOf(verify(browser, app.code(now())))).toBe('unauthenticated: Sign in first');
    expect(await (await browser.get('/api/auth/get-session')).json()).toBeNull();
  });
});

describe('a recovery code', () => {
  it('signs in once, in capitals and without its hyphen, also when it is sent twice at once', async () => {
    const { person, codes } = await protectedPerson();
    const [first = '', second = ''] = codes;
    const [one, other] = [await signIn(person), await signIn(person)];
    const typed = ` ${first.replace('-', '').toUpperCase()} `;
    const answers = await Promise.allSettled([recover(one, typed), recover(other, first)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect([await isIn(one), await isIn(other)].filter(Boolean)).toHaveLength(1);
    const both = await Promise.allSettled([
      recover(await signIn(person), second),
      recover(await signIn(person), codes[2] ?? ''),
    ]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    const userId = (await world.auth.sessionOf((await passed(person, codes[3] ?? '')).headers()))?.userId ?? '';
    expect((await stateOf(userId, person.email)).recovery_codes_left).toBe(6);
    expect((await subjectsTo(person.email)).filter((subject) => subject === 'A recovery code was used')).toHaveLength(
      4,
    );
  });

  const passed = async (person: object, code: string) => {
    const browser = await signIn(person);
    expect((await recover(browser, code)).status).toBe(200);
    return browser;
  };
  const stateOf = (userId: string, email: string) =>
    world.auth.twoFactorOf({
      userId,
      email,
      sessionId: '',
      fullName: '',
      isSystemAdmin: false,
      isDemo: false,
      secondFactorAskedAt: null,
    });

  it('is refused ten times in a quarter of an hour', async () => {
    const { person, codes } = await protectedPerson();
    const browser = await signIn(person);
    for (let at = 0; at < 10; at += 1)
      expect(await refusalOf(recover(browser, 'aaaaa-aaaaa'))).toMatch(/^invalid_request: This is not one of your/);
    expect(await refusalOf(recover(browser, codes[0] ?? ''))).toMatch(/^rate_limited: Too many wrong recovery codes\./);
  });

  it('is replaced with all others, after a confirmation', async () => {
    const { browser, person, codes, app } = await protectedPerson();
    ahead = Temporal.Duration.from({ minutes: 11 });
    const ask = () => browser.post('/api/auth/two-factor/generate-backup-codes', {});
    expect(await refusalOf(ask())).toMatch(/^reauthentication_required/);
    const me = await world.auth.requirePerson(browser.headers());
    await world.auth.reauthentication.reauthenticate(me, { code: app.code(now()) }, { clientAddress: null });
    const { backupCodes }: { backupCodes: string[] } = await (await ask()).json();
    expect(backupCodes).toHaveLength(10);
    expect(await refusalOf(recover(await signIn(person), codes[0] ?? ''))).toMatch(/^invalid_request/);
    expect((await recover(await signIn(person), backupCodes[9] ?? '')).status).toBe(200);
  });
});

describe('the audit log', () => {
  it('names what was done to the second factor, and a sign-in only when it is complete', async () => {
    const { person, browser, app, codes } = await protectedPerson();
    await browser.post('/api/auth/two-factor/generate-backup-codes', {});
    await refusalOf(verify(await signIn(person), 'guess'));
    await verify(await signIn(person), app.code(now(), 1));
    await refusalOf(recover(await signIn(person), codes[0] ?? ''));
    expect(await subjectsTo(person.email)).toContain('You have new recovery codes');
    await browser.post('/api/auth/two-factor/disable', {});
    const { rows } = await world.owner.query<{ act: string }>(
      `select a.action || coalesce(' ' || (a.details ->> 'how'), ' ' || (a.details ->> 'reason'), '') as act
         from audit_log a join profiles p on a.target = p.id::text where p.email = $1 order by a.id`,
      [person.email],
    );
    expect(rows.map(({ act }) => act).filter((act) => !act.startsWith('account.created'))).toEqual([
      'sign_in.succeeded after signing up',
      'account.two_factor_enabled',
      'account.recovery_codes_renewed',
      'sign_in.failed wrong code',
      'sign_in.succeeded with a code of the app',
      'sign_in.failed wrong recovery code',
      'account.two_factor_disabled',
    ]);
  });
});

describe('turning it off', () => {
  it('asks who it is, ends what waited for a code, and is told by mail', async () => {
    const { browser, person, app } = await protectedPerson();
    const waiting = await signIn(person);
    ahead = Temporal.Duration.from({ minutes: 11 });
    const off = () => browser.post('/api/auth/two-factor/disable', {});
    expect(await refusalOf(off())).toMatch(/^reauthentication_required/);
    const me = await world.auth.requirePerson(browser.headers());
    const reauthenticate = (proof: object) =>
      refusalOf(world.auth.reauthentication.reauthenticate(me, proof, { clientAddress: null }));
    expect(await reauthenticate({ password: PASSWORD })).toMatch(
      /^conflict: Confirm with a code of your authenticator app/,
    );
    expect(await reauthenticate({ code: 'guess' })).toBe(wrongCode);
    expect(await reauthenticate({ code: app.code(now()) })).toBe('nothing was refused');
    expect(await outcomeOf(await off())).toEqual({ status: 200, code: undefined });
    expect([await isIn(browser), await isIn(waiting)]).toEqual([true, false]);
    expect(await isIn(await signIn(person))).toBe(true);
    expect((await subjectsTo(person.email)).at(-1)).toBe('Two-factor authentication is off');
  });
});
