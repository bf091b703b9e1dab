import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Auth } from '#features/auth/auth.service.ts';
import { createLog } from '#platform/log.ts';
import { openPubSub, type PubSub } from '#platform/pubsub.ts';
import { browserAt, codeOf, PASSWORD, startAuth } from '#testing/auth.ts';
import { startTcpProxy } from '#testing/tcp-proxy.ts';

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

/** Sign-in as a second process has it: a listening connection and a memory of its own. */
async function secondProcess(): Promise<{ auth: Auth; pubsub: PubSub }> {
  const pubsub = await openPubSub(world.listenUrl, createLog('silent'));
  const auth = await world.another({ pubsub });
  onTestFinished(() => pubsub.close());
  return { auth, pubsub };
}

/** Resolves once this process has received and handled all earlier notifications. */
const heard = (pubsub: PubSub) =>
  new Promise<void>((resolve) => {
    const stop = pubsub.subscribe('cuebird_access', () => {
      stop();
      resolve();
    });
  });

/** The newest reset link of a mailbox, as its token. */
async function askForReset(email: string): Promise<string> {
  await browserAt(world.auth).post('/api/auth/request-password-reset', { email });
  await world.auth.mailSent();
  const text = world.mails.findLast(({ to }) => to === email)?.text ?? '';
  return /reset-password\?token=([A-Za-z0-9]+)/.exec(text)?.[1] ?? `no link in: ${text}`;
}

const resetWith = (token: string, newPassword: string) =>
  browserAt(world.auth).post('/api/auth/reset-password', { newPassword, token });

describe('a session that ends', () => {
  it('ends in every spelling of its cookie at once', async () => {
    const { browser } = await signedUp();
    const value = browser.cookies.get('cuebird.session_token') ?? '';
    const spellings = [value, `${value}!!`, `${value}%20`, value.replace(/%3D$/, ''), `${value}%3D`].map(
      (spelling) => new Headers({ cookie: `cuebird.session_token=${spelling}` }),
    );
    for (const spelling of spellings) await world.auth.sessionOf(spelling);
    await browser.post('/api/auth/sign-out', {});
    for (const spelling of spellings) expect(await world.auth.sessionOf(spelling)).toBeNull();
  });

  it('ends in another process that cached it, when it is signed out here', async () => {
    const { browser, person } = await signedUp();
    const other = await secondProcess();
    const cookies = browser.headers();
    expect(await other.auth.sessionOf(cookies)).toMatchObject({ email: person.email });
    const ended = heard(other.pubsub);
    await browser.post('/api/auth/sign-out', {});
    await ended;
    expect(await other.auth.sessionOf(cookies)).toBeNull();
  });

  it('ends there too when an administrator deletes its row', async () => {
    const { browser, person } = await signedUp();
    const other = await secondProcess();
    await other.auth.sessionOf(browser.headers());
    const ended = heard(other.pubsub);
    await world.owner.query('delete from auth_sessions using profiles p where p.id = user_id and p.email = $1', [
      person.email,
    ]);
    await ended;
    expect(await other.auth.sessionOf(browser.headers())).toBeNull();
  });

  it('leaves the person’s other sessions cached', async () => {
    const { browser, person } = await signedUp();
    const second = browserAt(world.auth);
    await second.post('/api/auth/sign-in/email', person);
    await world.auth.sessionOf(second.headers());
    const ended = heard(world.pubsub);
    await browser.post('/api/auth/sign-out', {});
    await ended;
    await world.owner.query('alter table auth_sessions disable trigger user');
    await world.owner.query('delete from auth_sessions using profiles p where p.id = user_id and p.email = $1', [
      person.email,
    ]);
    await world.owner.query('alter table auth_sessions enable trigger user');
    expect(await world.auth.sessionOf(second.headers())).toMatchObject({ email: person.email });
  });

  it('is read from the database at each request while notifications do not arrive', async () => {
    const proxy = await startTcpProxy(world.listenUrl);
    const pubsub = await openPubSub(proxy.through(world.listenUrl), createLog('silent'));
    const auth = await world.another({ pubsub });
    onTestFinished(async () => {
      proxy.admit();
      await pubsub.close();
      await proxy.close();
    });
    const { browser } = await signedUp();
    expect(await auth.sessionOf(browser.headers())).not.toBeNull();
    expect(pubsub.isListening()).toBe(true);

    const missed = heard(pubsub);
    const lost = untilNotListening(pubsub);
    proxy.refuse();
    await lost;
    await browser.post('/api/auth/sign-out', {});
    expect(await auth.sessionOf(browser.headers())).toBeNull();
    proxy.admit();
    await missed;
    expect(await auth.sessionOf(browser.headers())).toBeNull();
  });

  it('is not cached when the notification connection stops answering', async () => {
    const proxy = await startTcpProxy(world.listenUrl);
    const asked = { everyMs: 100, patienceMs: 60_000 };
    const pubsub = await openPubSub(proxy.through(world.listenUrl), createLog('silent'), asked);
    onTestFinished(async () => {
      proxy.thaw();
      await pubsub.close();
      await proxy.close();
    });
    proxy.freeze();
    await untilNotListening(pubsub);
    proxy.thaw();
    await untilListening(pubsub);
  });
});

// No event reports an unresponsive connection, so its state is polled.
async function untilNotListening(pubsub: PubSub): Promise<void> {
  while (pubsub.isListening()) await nextTick();
}
async function untilListening(pubsub: PubSub): Promise<void> {
  while (!pubsub.isListening()) await nextTick();
}
const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describe('a new password', () => {
  it('ends every other reset link, and every session in every process', async () => {
    const { browser, person } = await signedUp();
    const second = browserAt(world.auth);
    await second.post('/api/auth/sign-in/email', person);
    const other = await secondProcess();
    for (const headers of [browser.headers(), second.headers()])
      expect(await other.auth.sessionOf(headers)).not.toBeNull();

    const [first, latest] = [await askForReset(person.email), await askForReset(person.email)];
    const ended = heard(other.pubsub);
    expect((await resetWith(latest, 'a new password')).status).toBe(200);
    await ended;
    for (const { auth } of [other, world])
      for (const headers of [browser.headers(), second.headers()]) expect(await auth.sessionOf(headers)).toBeNull();
    expect(await codeOf(await resetWith(first, 'the old link'))).toEqual({ status: 400, code: 'INVALID_TOKEN' });
  });

  it('does so for any way of setting it, and does not affect other people', async () => {
    const [ann, ben] = [await signedUp(), await signedUp()];
    const [annsLink, bensLink] = [await askForReset(ann.person.email), await askForReset(ben.person.email)];
    await world.pool.query(
      "update auth_accounts a set password = 'x:y' from profiles p where p.id = a.user_id and p.email = $1",
      [ann.person.email],
    );
    expect(await world.auth.sessionOf(ann.browser.headers())).toBeNull();
    expect((await resetWith(annsLink, 'a new password')).status).toBe(400);
    expect(await world.auth.sessionOf(ben.browser.headers())).not.toBeNull();
    expect((await resetWith(bensLink, 'a new password')).status).toBe(200);
  });

  it('refuses a sign-in with the old one during the change', async () => {
    const { person } = await signedUp();
    await world.owner.query('begin');
    await world.owner.query(
      "update auth_accounts a set password = 'x:y' from profiles p where p.id = a.user_id and p.email = $1",
      [person.email],
    );
    // The old password is still the right one, and the new session waits for the change.
    const signingIn = browserAt(world.auth).post('/api/auth/sign-in/email', person);
    for (let waiting = 0; waiting === 0; ) {
      const { rows } = await world.pool.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      );
      waiting = rows[0]?.count ?? 0;
    }
    await world.owner.query('commit');
    expect(await codeOf(await signingIn)).toEqual({ status: 401, code: 'INVALID_EMAIL_OR_PASSWORD' });
    const { rowCount } = await world.pool.query(
      'select from auth_sessions s join profiles p on p.id = s.user_id where p.email = $1',
      [person.email],
    );
    expect(rowCount).toBe(0);
  });
});
