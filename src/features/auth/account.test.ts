import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

const password = 'correct horse battery';

let cuebird: TestCuebird;
let database: Client;
beforeAll(async () => {
  cuebird = await startTestCuebird({ env: { DEMO: 'on', MIN_PASSWORD_LENGTH: '9' } });
  database = cuebird.owner;
});
afterAll(() => cuebird.stop());

let people = 0;
const newcomer = () => cuebird.signUp(`Person ${(people += 1)}`);

const signIn = (email: string, given = password) =>
  fetch(`${cuebird.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: cuebird.url, 'content-type': 'application/json', 'user-agent': 'Another browser' },
    body: JSON.stringify({ email, password: given }),
  });

/** A second browser of the same person. */
async function secondBrowser({ email }: TestPerson) {
  const cookie = (await signIn(email)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const get = (path: string) => fetch(`${cuebird.url}${path}`, { headers: { cookie } });
  return { status: async () => (await get('/api/account')).status };
}

type Mail = { subject: string; text: string };

/** The account mail to an address, oldest first; waits until there are as many as expected. */
async function mailsTo(email: string, count: number): Promise<Mail[]> {
  const read = async () => {
    const { rows } = await database.query<Mail>(
      `select subject, body_text as text from sandbox_messages where workspace_id is null and recipient = $1 order by id`,
      [email],
    );
    return rows;
  };
  await expect.poll(async () => (await read()).length).toBe(count);
  return read();
}

const tokenIn = (mail?: Mail) => /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';

const ask = (person: TestPerson, email: string) => person.call('POST', '/api/account/email', { body: { email } });

describe('a change of password', () => {
  it('asks for the current one, ends every other session, keeps this one, and is told by mail', async () => {
    const person = await newcomer();
    const other = await secondBrowser(person);
    const change = (current: string, next: string) =>
      person.call('POST', '/api/account/password', { body: { current_password: current, new_password: next } });
    expect((await change('a wrong one', 'another password')).json.error.fields).toEqual([
      { path: 'current_password', message: 'This is not your password' },
    ]);
    expect((await change(password, '12345678')).json.error.fields).toEqual([
      { path: 'new_password', message: 'Password must be at least 9 characters long' },
    ]);
    expect((await change(password, 'Password123')).json.error.fields).toEqual([
      { path: 'new_password', message: expect.stringMatching(/^This is one of the passwords that are tried first\./) },
    ]);
    expect((await change(password, password)).json.error.fields).toEqual([
      { path: 'new_password', message: 'This is your password already: choose another one' },
    ]);
    expect(await other.status()).toBe(200);
    expect((await change(password, 'another password')).status).toBe(200);
    expect([(await person.call('GET', '/api/account')).status, await other.status()]).toEqual([200, 401]);
    expect([(await signIn(person.email)).status, (await signIn(person.email, 'another password')).status]).toEqual([
      401, 200,
    ]);
    expect((await mailsTo(person.email, 1)).map(({ subject }) => subject)).toEqual(['Your password was changed']);
  });

  it('is refused with words where there is none, as with Google only', async () => {
    const person = await newcomer();
    await database.query("update auth_accounts set provider_id = 'google', password = null where user_id = $1", [
      person.userId,
    ]);
    const cookie = await sessionFor(person);
    const answer = await person.call('POST', '/api/account/password', {
      headers: { cookie },
      body: { current_password: '', new_password: 'another password' },
    });
    expect([answer.status, answer.json.error.message]).toEqual([
      422,
      'Your account has no password yet: have a link mailed to you, by which you can set one',
    ]);
    expect((await person.call('GET', '/api/account', { headers: { cookie } })).json.has_password).toBe(false);
  });
});

/** The session of somebody whose sessions a trigger has ended. */
async function sessionFor({ userId, cookie }: TestPerson): Promise<string> {
  const { hashOfToken } = await import('#platform/token-hash.ts');
  const token = decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0] ?? '';
  await database.query(
    "insert into auth_sessions (user_id, token, expires_at) values ($1, $2, now() + interval '1 day')",
    [userId, hashOfToken(token)],
  );
  return cookie;
}

describe('a change of address', () => {
  it('happens once the new one is confirmed, and the old one is told before and after', async () => {
    const person = await newcomer();
    const email = `new.${person.email}`;
    expect((await ask(person, email.toUpperCase())).json).toEqual({ sent_to: email });
    const [invite] = await mailsTo(email, 1);
    const [before] = await mailsTo(person.email, 1);
    expect([invite?.subject, before?.subject]).toEqual([
      'Confirm your new email address',
      'Your email address is about to change',
    ]);
    expect(before?.text).toContain(`replace this address by ${email}`);
    expect(before?.text).toContain(`${cuebird.url}/auth/forgot-password`);
    expect((await person.call('GET', '/api/account')).json).toMatchObject({
      email: person.email,
      email_change: { email },
    });
    expect((await signIn(person.email)).status).toBe(200);

    const confirm = () => person.call('POST', '/api/account/email/confirm', { body: { token: tokenIn(invite) } });
    expect((await confirm()).json).toEqual({ email });
    expect((await confirm()).status).toBe(404);
    expect((await person.call('GET', '/api/account')).json).toMatchObject({ email, email_change: null });
    expect([(await signIn(person.email)).status, (await signIn(email)).status]).toEqual([401, 200]);
    expect((await mailsTo(person.email, 2)).at(-1)?.text).toContain(`now has the address ${email}`);
  });

  it('is refused for what is no address, or the address already', async () => {
    const person = await newcomer();
    expect((await ask(person, person.email)).json.error.fields[0].path).toBe('email');
    expect((await ask(person, 'nobody')).json.error.fields[0]).toEqual({
      path: 'email',
      message: 'Enter an email address',
    });
  });

  it('to one that is taken has the same answer; only its mailbox is told', async () => {
    const [person, neighbour] = [await newcomer(), await newcomer()];
    expect((await ask(person, neighbour.email)).json).toEqual({ sent_to: neighbour.email });
    const [mail] = await mailsTo(neighbour.email, 1);
    expect([mail?.subject, tokenIn(mail)]).toEqual(['This address has an account already', '']);
  });

  it('is refused where the address was taken meanwhile', async () => {
    const person = await newcomer();
    const email = `late.${person.email}`;
    await ask(person, email);
    const [mail] = await mailsTo(email, 1);
    await database.query("insert into profiles (email, full_name) values ($1, 'First')", [email]);
    const answer = await person.call('POST', '/api/account/email/confirm', { body: { token: tokenIn(mail) } });
    expect([answer.status, answer.json.error.message]).toEqual([409, 'Another account has this address']);
  });

  it('to one address by two people at once gives it to one of them', async () => {
    const [one, other] = [await newcomer(), await newcomer()];
    const email = `both.${one.email}`;
    await ask(one, email);
    const [first] = await mailsTo(email, 1);
    await ask(other, ` ${email.toUpperCase()} `);
    const [, second] = await mailsTo(email, 2);
    const confirm = (by: TestPerson, mail?: Mail) =>
      by.call('POST', '/api/account/email/confirm', { body: { token: tokenIn(mail) } });
    const answers = await Promise.all([confirm(one, first), confirm(other, second)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await database.query('select from profiles where email = $1', [email])).rowCount).toBe(1);
  });

  it('ends the links that were mailed to the old one', async () => {
    const person = await newcomer();
    const post = (path: string, body: object) =>
      fetch(`${cuebird.url}/api/auth${path}`, {
        method: 'POST',
        headers: { origin: cuebird.url, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await post('/request-password-reset', { email: person.email });
    const [reset] = await mailsTo(person.email, 1);
    const email = `z.${person.email}`;
    await ask(person, email);
    const [invite] = await mailsTo(email, 1);
    await person.call('POST', '/api/account/email/confirm', { body: { token: tokenIn(invite) } });
    const answer = await post('/reset-password', { newPassword: 'another password', token: tokenIn(reset) });
    expect([answer.status, (await signIn(email)).status]).toEqual([400, 200]);
  });

  it('works only for its person, not when it is too old, and not after it was cancelled or replaced', async () => {
    const [person, stranger] = [await newcomer(), await newcomer()];
    const email = `x.${person.email}`;
    const confirm = async (by: TestPerson, token: string) =>
      (await by.call('POST', '/api/account/email/confirm', { body: { token } })).status;
    await ask(person, email);
    const first = tokenIn((await mailsTo(email, 1))[0]);
    expect(await confirm(stranger, first)).toBe(404);
    await ask(person, email);
    const second = tokenIn((await mailsTo(email, 2))[1]);
    expect(await confirm(person, first)).toBe(404);
    await database.query("update auth_email_changes set expires_at = now() - interval '1 second'");
    expect(await confirm(person, second)).toBe(404);
    await ask(person, email);
    const third = tokenIn((await mailsTo(email, 3))[2]);
    expect((await person.call('DELETE', '/api/account/email')).status).toBe(200);
    expect(await confirm(person, third)).toBe(404);
    expect((await person.call('GET', '/api/account')).json.email_change).toBeNull();
  });

  it('is cancelled by a new password', async () => {
    const person = await newcomer();
    await ask(person, `y.${person.email}`);
    await person.call('POST', '/api/account/password', {
      body: { current_password: password, new_password: 'another password' },
    });
    expect((await person.call('GET', '/api/account')).json.email_change).toBeNull();
  });
});

describe('the signed-in devices', () => {
  it('are listed with this one marked, and one is signed out', async () => {
    const person = await newcomer();
    const other = await secondBrowser(person);
    const { json } = await person.call('GET', '/api/account/devices');
    expect(json.data).toHaveLength(2);
    expect(json.data.filter((device: { is_current: boolean }) => device.is_current)).toHaveLength(1);
    const second = json.data.find((device: { user_agent: string }) => device.user_agent === 'Another browser');
    expect(second).toMatchObject({ is_current: false, address: '127.0.0.1' });
    // The network in which the loopback address ::1 is.
    await database.query(
      "update auth_sessions set ip_address = '0000:0000:0000:0000:0000:0000:0000:0000' where id = $1",
      [second.id],
    );
    const addresses = (await person.call('GET', '/api/account/devices')).json.data.map(
      (device: { address: string }) => device.address,
    );
    expect(addresses.toSorted()).toEqual(['127.0.0.1', '::1']);
    const stranger = await newcomer();
    expect((await stranger.call('DELETE', `/api/account/devices/${second.id}`)).status).toBe(404);
    expect((await person.call('DELETE', `/api/account/devices/${second.id}`)).status).toBe(200);
    expect(await other.status()).toBe(401);
    expect((await person.call('DELETE', `/api/account/devices/${second.id}`)).status).toBe(404);
  });

  it('are signed out together, all but this one', async () => {
    const person = await newcomer();
    const others = [await secondBrowser(person), await secondBrowser(person)];
    const answer = await person.call('POST', '/api/account/devices/sign-out-others', { body: {} });
    expect(answer.json).toEqual({ signed_out: 2 });
    expect([await others[0]?.status(), await others[1]?.status()]).toEqual([401, 401]);
    expect((await person.call('GET', '/api/account/devices')).json.data).toHaveLength(1);
  });
});

describe('the demo account', () => {
  it('keeps its address and its password, and shows nobody the others who use it', async () => {
    const enter = async () => {
      const { headers } = await fetch(cuebird.links.demo ?? '', { method: 'POST', redirect: 'manual' });
      return headers.getSetCookie()[0]?.split(';')[0] ?? '';
    };
    const [cookie] = [await enter(), await enter()];
    const call = async (method: string, path: string, body?: object) => {
      const headers = { cookie, 'content-type': 'application/json' };
      const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
      const answer = await fetch(`${cuebird.url}${path}`, init);
      return { status: answer.status, json: await answer.json() };
    };
    expect((await call('GET', '/api/account')).json).toMatchObject({ is_demo: true });
    expect((await call('GET', '/api/account/devices')).json.data).toMatchObject([{ is_current: true }]);
    const change = { current_password: password, new_password: 'another password' };
    expect((await call('POST', '/api/account/password', change)).status).toBe(403);
    expect((await call('POST', '/api/account/email', { email: 'new@example.com' })).status).toBe(403);
    expect((await call('POST', '/api/account/devices/sign-out-others', {})).status).toBe(403);
  });
});

describe('the least length of a password that the administrator sets', () => {
  it('is shown, and holds for a sign-up too', async () => {
    const config = await (await fetch(`${cuebird.url}/api/config`)).json();
    expect(config).toMatchObject({ min_password_length: 9, account_mail: true });
    const answer = await fetch(`${cuebird.url}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { origin: cuebird.url, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ben', email: 'ben@example.com', password: '12345678' }),
    });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { code: 'PASSWORD_TOO_SHORT', message: 'Password must be at least 9 characters long' },
    ]);
  });
});
