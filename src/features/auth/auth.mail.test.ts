import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { APP, browserAt, codeOf, PASSWORD, startAuth } from '#testing/auth.ts';

let world: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  world = await startAuth({ emailVerification: true });
});
afterAll(() => world.stop());

let count = 0;
const newcomer = () => ({
  name: 'Visit http://evil.example',
  email: `ben${(count += 1)}@example.com`,
  password: PASSWORD,
});

/** The link in the newest mail to this address, as a path. */
async function linkTo(email: string): Promise<string> {
  await world.auth.mailSent();
  const text = world.mails.findLast(({ to }) => to === email)?.text ?? '';
  return /http:\/\/localhost:3000(\/\S+)/.exec(text)?.[1] ?? `no link in: ${text}`;
}

/** What the button of the page behind a verification link sends. */
const verify = (link: string, browser = browserAt(world.auth)) =>
  browser.post('/api/auth/verify-email', { token: new URL(link, APP).searchParams.get('token') });

const mailsTo = async (email: string) => {
  await world.auth.mailSent();
  return world.mails.filter(({ to }) => to === email);
};

describe('with address verification', () => {
  it('a sign-up waits for the button of the page behind its link, which signs in', async () => {
    const person = newcomer();
    const browser = browserAt(world.auth);
    const answer = await browser.post('/api/auth/sign-up/email', person);
    expect(await answer.json()).toMatchObject({ token: null, user: { email: person.email, emailVerified: false } });
    expect(await world.auth.sessionOf(browser.headers())).toBeNull();
    expect(await mailsTo(person.email)).toHaveLength(1);

    expect((await verify(await linkTo(person.email), browser)).status).toBe(200);
    expect(await world.auth.sessionOf(browser.headers())).toMatchObject({ email: person.email });
  });

  it('an address that makes an administrator is confirmed by setting the password anew', async () => {
    const person = { ...newcomer(), email: 'ann@example.com' };
    const listed = await world.another({ emailVerification: true, adminEmails: [person.email] });
    await browserAt(listed).post('/api/auth/sign-up/email', person);
    await listed.mailSent();
    const [mail, ...others] = world.mails.filter(({ to }) => to === person.email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Set your password as an administrator');
    const token = /reset-password\/?[^\s]*[?#/=]([\w-]{10,})/.exec(mail?.text ?? '')?.[1];
    const answer = await browserAt(listed).post('/api/auth/reset-password', {
      token,
      newPassword: 'another fine password',
    });
    expect(answer.status).toBe(200);
    // Whoever has signed up with the address knows no password of it any more.
    expect((await browserAt(listed).post('/api/auth/sign-in/email', person)).status).toBe(401);
    const own = { email: person.email, password: 'another fine password' };
    expect((await browserAt(listed).post('/api/auth/sign-in/email', own)).status).toBe(200);
  });

  it('a sign-in before that is refused with a reason and sends a new link', async () => {
    const person = newcomer();
    const browser = browserAt(world.auth);
    await browser.post('/api/auth/sign-up/email', person);
    const answer = await browser.post('/api/auth/sign-in/email', person);
    expect(await codeOf(answer)).toEqual({ status: 403, code: 'EMAIL_NOT_VERIFIED' });
    expect(await mailsTo(person.email)).toHaveLength(2);
  });

  it('a wrong password does not reveal the verification and sends nothing', async () => {
    const person = newcomer();
    await browserAt(world.auth).post('/api/auth/sign-up/email', person);
    const answer = await browserAt(world.auth).post('/api/auth/sign-in/email', {
      ...person,
      password: 'wrong password',
    });
    expect(await codeOf(answer)).toEqual({ status: 401, code: 'INVALID_EMAIL_OR_PASSWORD' });
    expect(await mailsTo(person.email)).toHaveLength(1);
  });

  it('a second sign-up is refused because the address is taken, verified or not', async () => {
    const person = newcomer();
    const signUp = () => browserAt(world.auth).post('/api/auth/sign-up/email', person);
    await signUp();
    expect(await codeOf(await signUp())).toEqual({ status: 422, code: 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL' });
    await verify(await linkTo(person.email));
    expect(await codeOf(await signUp())).toEqual({ status: 422, code: 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL' });
  });

  it('simultaneous sign-ups with one address create one account', async () => {
    const person = newcomer();
    const signUp = () => browserAt(world.auth).post('/api/auth/sign-up/email', person);
    const answers = await Promise.all([signUp(), signUp(), signUp(), signUp(), signUp()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422, 422, 422]);
  });

  it('a link works once, and not when it was altered', async () => {
    const person = newcomer();
    await browserAt(world.auth).post('/api/auth/sign-up/email', person);
    const link = await linkTo(person.email);
    const altered = browserAt(world.auth);
    const answer = await verify(link.replace(/token=.{10}/, 'token=AAAAAAAAAA'), altered);
    expect(await codeOf(answer)).toEqual({ status: 401, code: 'INVALID_TOKEN' });
    await verify(link);
    const second = browserAt(world.auth);
    expect((await verify(link, second)).status).toBe(200);
    expect([altered.cookies.size, second.cookies.size]).toEqual([0, 0]);
  });
});

describe('a forgotten password', () => {
  it('is replaced through the link in the mail, once, and every session ends', async () => {
    const { person, browser } = await verified();
    await browserAt(world.auth).post('/api/auth/request-password-reset', { email: person.email.toUpperCase() });
    const link = await linkTo(person.email);

    const page = new URL(link, APP);
    expect(page.pathname).toBe('/auth/reset-password');
    const token = page.searchParams.get('token') ?? '';
    const { rows } = await world.pool.query('select * from auth_verifications');
    expect(JSON.stringify(rows)).not.toContain(token);

    const reset = (newPassword: string) =>
      browserAt(world.auth).post('/api/auth/reset-password', { newPassword, token });
    const check = async () => (await browserAt(world.auth).post('/api/auth/check-reset-link', { token })).json();
    expect(await codeOf(await reset('12345'))).toEqual({ status: 400, code: 'PASSWORD_TOO_SHORT' });
    expect(await codeOf(await reset('iloveyou'))).toEqual({ status: 400, code: 'PASSWORD_TOO_COMMON' });
    expect(await check()).toEqual({ email: person.email });
    expect((await reset('a new password')).status).toBe(200);
    expect(await codeOf(await reset('another one'))).toEqual({ status: 400, code: 'INVALID_TOKEN' });
    expect(await check()).toMatchObject({ code: 'INVALID_TOKEN' });
    expect((await mailsTo(person.email)).at(-1)?.subject).toBe('Your password was changed');

    expect(await world.auth.sessionOf(browser.headers())).toBeNull();
    const signIn = (password: string) =>
      browserAt(world.auth).post('/api/auth/sign-in/email', { email: person.email, password });
    expect([(await signIn(PASSWORD)).status, (await signIn('a new password')).status]).toEqual([401, 200]);
  });

  it('shows that the mailbox is theirs, so that the new password opens the account', async () => {
    const person = newcomer();
    await browserAt(world.auth).post('/api/auth/sign-up/email', person);
    await browserAt(world.auth).post('/api/auth/request-password-reset', { email: person.email });
    const token = new URL(await linkTo(person.email), APP).searchParams.get('token');
    const newPassword = 'a new password';
    await browserAt(world.auth).post('/api/auth/reset-password', { newPassword, token });
    const { status } = await browserAt(world.auth).post('/api/auth/sign-in/email', {
      ...person,
      password: newPassword,
    });
    expect(status).toBe(200);
  });

  it('of the demo account is not replaced', async () => {
    const email = 'demo@example.com';
    await world.auth.createPerson({ email, fullName: 'Dana', password: PASSWORD, isDemo: true });
    const answer = await browserAt(world.auth).post('/api/auth/request-password-reset', { email });
    expect(answer.status).toBe(200);
    expect(await mailsTo(email)).toEqual([]);
  });

  it('has the same answer for an unknown address', async () => {
    const { person } = await verified();
    const ask = async (email: string) => {
      const answer = await browserAt(world.auth).post('/api/auth/request-password-reset', { email });
      return [answer.status, await answer.json()];
    };
    expect(await ask('nobody@example.com')).toEqual(await ask(person.email));
    expect(await mailsTo('nobody@example.com')).toEqual([]);
  });
});

describe('account mail', () => {
  it('is short, has the link, and contains no text from the sign-up', async () => {
    const person = newcomer();
    await browserAt(world.auth).post('/api/auth/sign-up/email', { ...person, callbackURL: '/auth?x=evil' });
    const [mail] = await mailsTo(person.email);
    expect(mail?.subject).toBe('Confirm your email address');
    expect(mail?.text).toMatch(/http:\/\/localhost:3000\/auth\/verify-email\?token=[\w.-]+\n/);
    expect(mail?.text).not.toContain('evil');
  });

  it('that cannot be sent is logged, and the sign-up succeeds', async () => {
    const broken = await startAuth({
      emailVerification: true,
      sendAccountMail: () => Promise.reject(new Error('no route')),
    });
    onTestFinished(broken.stop);
    const answer = await browserAt(broken.auth).post('/api/auth/sign-up/email', newcomer());
    expect(answer.status).toBe(200);
    await broken.auth.mailSent();
    expect(broken.errors).toEqual(['Account mail "Confirm your email address" was not sent']);
  });
});

async function verified() {
  const person = newcomer();
  const browser = browserAt(world.auth);
  await browser.post('/api/auth/sign-up/email', person);
  await verify(await linkTo(person.email), browser);
  expect(await world.auth.sessionOf(browser.headers())).not.toBeNull();
  return { person, browser };
}
