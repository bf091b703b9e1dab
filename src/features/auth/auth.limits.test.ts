import { createHook } from 'node:async_hooks';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createSignInLimits } from '#features/auth/auth.limits.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import { RateLimited } from '#platform/errors.ts';
import { APP, PASSWORD, startAuth } from '#testing/auth.ts';

const home = '203.0.113.7';
const stranger = (index: number) => `198.51.100.${index + 1}`;

let now = Temporal.Now.instant().round('millisecond');
let world: Awaited<ReturnType<typeof startAuth>>;
let owner: string;
let count = 0;
beforeAll(async () => {
  world = await startAuth({ rateLimit: true, now: () => now });
});
beforeEach(async () => {
  owner = `ann${(count += 1)}@example.com`;
  await world.owner.query('delete from request_counts');
});
afterAll(() => world.stop());

/** What each process has, on the one database. */
const limitsOf = (pool: pg.Pool) =>
  createSignInLimits(new Kysely({ dialect: new PostgresDialect({ pool }) }), { now: () => now });

/** 'admitted', or of a refusal the seconds after which to come again. */
async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'admitted';
  } catch (error) {
    if (!(error instanceof RateLimited)) throw error;
    return `refused for ${error.headers['retry-after']}`;
  }
}

const admit = (path: string, { from, email = owner, by = limitsOf(world.pool) }: Asked) =>
  outcomeOf(by.admit(path, { clientAddress: from, email }));
const guess = (asked: Asked) => admit('/sign-in/email', asked);
type Asked = { from: string; email?: string; by?: ReturnType<typeof limitsOf> };

async function times<T>(number: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let index = 0; index < number; index += 1) results.push(await work(index));
  return results;
}
const admitted = (number: number) => Array<string>(number).fill('admitted');

/** Guesses from so many addresses, ten from each: as many as one address has. */
async function guessFromMany(addresses: number) {
  for (let index = 0; index < addresses; index += 1) await times(10, () => guess({ from: stranger(index) }));
}

describe('guessing the password of an account', () => {
  it('ends after ten tries from one address, in every process', async () => {
    const processes = [limitsOf(world.pool), limitsOf(world.pool)];
    const tries = await times(12, (index) => guess({ from: home, by: processes[index % 2] }));
    expect(tries).toEqual([...admitted(10), 'refused for 900', 'refused for 900']);
    now = now.add({ minutes: 14 });
    expect(await guess({ from: home })).toBe('refused for 60');
    now = now.add({ minutes: 1 });
    expect(await guess({ from: home })).toBe('admitted');
  });

  it('allows exactly ten concurrent tries', async () => {
    const tries = await Promise.all(Array.from({ length: 25 }, () => guess({ from: home })));
    expect(tries.filter((outcome) => outcome === 'admitted')).toHaveLength(10);
  });

  it('delays neither its owner elsewhere nor other users at the same address', async () => {
    await times(12, () => guess({ from: home }));
    expect(await guess({ from: stranger(1) })).toBe('admitted');
    expect(await guess({ from: home, email: 'ben@example.com' })).toBe('admitted');
  });

  it('does not count successful sign-ins', async () => {
    const visit = { clientAddress: home, email: owner };
    const limits = limitsOf(world.pool);
    for (let signedIn = 0; signedIn < 120; signedIn += 1) {
      expect(await guess({ from: home })).toBe('admitted');
      await limits.recordSuccess(visit);
    }
    expect(await times(10, () => guess({ from: home }))).toEqual(admitted(10));
  });

  it('from many addresses is slowed down, and its owner signs in at once from a known address', async () => {
    const visit = { clientAddress: home, email: owner };
    await limitsOf(world.pool).recordSuccess(visit);
    await guessFromMany(3);
    for (const [index, seconds] of [1, 2, 4, 8, 16, 32].entries()) {
      const from = stranger(10 + index);
      expect(await times(2, () => guess({ from }))).toEqual(Array(2).fill(`refused for ${seconds}`));
      now = now.add({ milliseconds: seconds * 1000 - 1 });
      expect(await guess({ from })).toBe('refused for 1');
      expect(await guess({ from: home })).toBe('admitted');
      now = now.add({ milliseconds: 1 });
      expect(await guess({ from })).toBe('admitted');
    }
  });

  it('causes a delay of at most five minutes, and is forgotten after an hour', async () => {
    await guessFromMany(3);
    for (let index = 0; index < 20; index += 1) {
      now = now.add({ minutes: 5 });
      expect(await guess({ from: stranger(10 + index) })).toBe('admitted');
    }
    expect(await guess({ from: stranger(50) })).toBe('refused for 300');
    now = now.add({ hours: 1 });
    expect(await times(10, () => guess({ from: stranger(51) }))).toEqual(admitted(10));
  });

  it('is refused after a hundred tries from one address for any accounts', async () => {
    const tries = await times(102, (index) => guess({ from: home, email: `other${index}@example.com` }));
    expect(tries).toEqual([...admitted(100), 'refused for 900', 'refused for 900']);
  });

  it('does not block the owner at a new address after their delay is over', async () => {
    await guessFromMany(3);
    // The attacker takes each slot as it comes, until the delay is the longest.
    for (let index = 0; index < 10; index += 1) {
      now = now.add({ minutes: 5 });
      expect(await guess({ from: stranger(10 + index) })).toBe('admitted');
    }
    expect(await guess({ from: home })).toBe('refused for 300');
    now = now.add({ seconds: 297 });
    for (let poll = 0; poll < 21; poll += 1) {
      now = now.add({ milliseconds: 150 });
      for (const index of [0, 10, 19]) expect(await guess({ from: stranger(index) })).toMatch(/^refused/);
    }
    expect(await guess({ from: home })).toBe('admitted');
  });

  it('waits five minutes longer from an address that guessed before than from one that did not', async () => {
    await guessFromMany(2);
    for (let index = 0; index < 10; index += 1) await guess({ from: stranger(10 + index) });
    const from = stranger(10);
    expect(await guess({ from })).toBe('refused for 301');
    now = now.add({ seconds: 1 });
    expect(await guess({ from })).toBe('refused for 300');
    expect(await guess({ from: home })).toBe('admitted');
    expect(await guess({ from })).toBe('refused for 302');
    now = now.add({ seconds: 302 });
    expect(await guess({ from })).toBe('admitted');
  });

  it('counts a try that is refused by the account’s delay', async () => {
    await guessFromMany(3);
    expect(await times(10, () => guess({ from: home }))).toEqual(Array(10).fill('refused for 1'));
    now = now.add({ seconds: 1 });
    expect(await guess({ from: home })).toBe('refused for 899');
  });

  it('from a blocked address does not refuse users who signed in there before', async () => {
    await limitsOf(world.pool).recordSuccess({ clientAddress: home, email: owner });
    await times(100, (index) => guess({ from: home, email: `other${index}@example.com` }));
    expect(await guess({ from: home, email: 'ben@example.com' })).toBe('refused for 900');
    expect(await times(11, () => guess({ from: home }))).toEqual([...admitted(10), 'refused for 900']);
  });

  it('from a blocked address stores nothing for the accounts that it tries', async () => {
    await times(100, (index) => guess({ from: home, email: `other${index}@example.com` }));
    const rows = async () => (await world.owner.query('select * from request_counts order by subject, bucket')).rows;
    const before = await rows();
    await times(5, (index) => guess({ from: home, email: `invented${index}@example.com` }));
    expect(await rows()).toEqual(before);
  });

  it('of one account does not block the address for others', async () => {
    await times(120, () => guess({ from: home }));
    expect(await guess({ from: home, email: 'ben@example.com' })).toBe('admitted');
  });

  it('counts all addresses of an IPv6 network as one, and a mapped IPv4 address as itself', async () => {
    await times(10, (index) => guess({ from: `2001:db8:1:2::${index + 1}` }));
    expect(await guess({ from: '2001:db8:1:2:ffff::1' })).toBe('refused for 900');
    expect(await guess({ from: '2001:db8:1:3::1' })).toBe('admitted');
    const asks = await times(125, (index) =>
      admit('/request-password-reset', { from: `2001:db8:2:${index.toString(16)}::1`, email: `${index}@example.com` }),
    );
    expect(
      asks.filter((outcome) => outcome === 'admitted'),
      'of a /56',
    ).toHaveLength(120);
    await times(10, () => guess({ from: '::ffff:198.51.100.9' }));
    expect(await guess({ from: '198.51.100.9' })).toBe('refused for 900');
  });

  it('stores no email address and no IP address', async () => {
    await guess({ from: home });
    const { rows } = await world.owner.query('select * from request_counts');
    expect(rows).toHaveLength(4);
    expect(JSON.stringify(rows)).not.toMatch(/ann|203\.0/);
  });
});

describe('account mail on request', () => {
  it.each(['/request-password-reset', '/send-verification-email', '/sign-up/email'])(
    '%s is answered five times an hour for one mailbox, for all callers together',
    async (path) => {
      const asked = await times(6, (index) => admit(path, { from: stranger(index) }));
      expect(asked).toEqual([...admitted(5), 'refused for 3600']);
      now = now.add({ hours: 1 });
      expect(await admit(path, { from: home })).toBe('admitted');
    },
  );

  it.each([
    ['/request-password-reset', 30],
    ['/send-verification-email', 30],
    ['/reset-password', 30],
    ['/sign-up/email', 100],
  ])('%s is answered for one address %i times in an hour', async (path, most) => {
    const asked = await times(most + 1, (index) => admit(path, { from: home, email: `other${index}@example.com` }));
    expect(asked).toEqual([...admitted(most), 'refused for 3600']);
  });

  it('is not counted for a form that sends nothing', async () => {
    await times(6, (index) => admit('/sign-up/email', { from: stranger(index) }));
    expect(await admit('/request-password-reset', { from: home })).toBe('admitted');
  });
});

describe('at the forms', () => {
  type Sent = { from?: string; at?: Pick<Auth, 'handle'> };

  /** Throws what a refusal throws. */
  async function send(path: string, body: object, { from = home, at = world.auth }: Sent = {}): Promise<number> {
    const headers = { origin: APP, 'content-type': 'application/json' };
    const request = new Request(`${APP}/api/auth${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await at.handle(request, { clientAddress: from })).status;
  }
  const signUp = (sent?: Sent) => send('/sign-up/email', { name: 'Ann', email: owner, password: PASSWORD }, sent);
  const signIn = (password: string, sent?: Sent) => send('/sign-in/email', { email: owner, password }, sent);

  it('each wrong password is in the audit log, and one of the refusals after them', async () => {
    await signUp();
    await times(14, () => outcomeOf(signIn('wrong')));
    const { rows } = await world.owner.query<{ reason: string }>(
      "select details ->> 'reason' as reason from audit_log where action = 'sign_in.failed' and details ->> 'email' = $1 order by id",
      [owner],
    );
    expect(rows.map(({ reason }) => reason)).toEqual([
      ...Array<string>(10).fill('wrong password'),
      'too many wrong passwords',
    ]);
  });

  it('a person changes to five addresses an hour at most: each gets a mail from here', async () => {
    await signUp();
    const { rows } = await world.owner.query('select id from profiles where email = $1', [owner]);
    const person = {
      userId: rows[0].id,
      sessionId: '',
      email: owner,
      fullName: '',
      isSystemAdmin: false,
      isDemo: false,
      secondFactorAskedAt: null,
    };
    const ask = (index: number) =>
      outcomeOf(
        world.auth.emailChanges.request(person, {
          email: `stranger${index}@example.com`,
          url: 'http://localhost:3000',
        }),
      );
    expect(await times(6, ask)).toEqual([...admitted(5), 'refused for 3600']);
  });

  it('a refused sign-in computes no password hash for an unknown account', async () => {
    const real = await world.another({ rateLimit: true, now: () => now, passwords: undefined });
    let hashes = 0;
    const hook = createHook({
      init(_, type) {
        if (type === 'ARGON2REQUEST') hashes += 1;
      },
    }).enable();
    onTestFinished(() => void hook.disable());
    const tries = await times(30, () => outcomeOf(signIn('a wrong password', { at: real })));
    expect(tries).toEqual([...admitted(10), ...Array<string>(20).fill('refused for 900')]);
    expect(hashes).toBe(10);
  });

  it('a refusal contains the time of the next allowed try', async () => {
    await times(5, (index) => send('/request-password-reset', { email: owner }, { from: stranger(index) }));
    await expect(send('/request-password-reset', { email: owner })).rejects.toMatchObject({
      code: 'rate_limited',
      message: 'Too many mails were requested for this address. Try again in 60 minutes.',
      headers: { 'retry-after': '3600' },
    });
  });

  it('the owner signs in during an attack from the address of their sign-up or password reset', async () => {
    await signUp();
    await guessFromMany(4);
    expect(await signIn(PASSWORD)).toBe(200);
    expect(await outcomeOf(signIn(PASSWORD, { from: '192.0.2.1' }))).toMatch(/^refused/);

    await send('/request-password-reset', { email: owner });
    await world.auth.mailSent();
    const token = /reset-password\?token=([A-Za-z0-9]+)/.exec(world.mails.at(-1)?.text ?? '')?.[1];
    const elsewhere = { from: '192.0.2.1' };
    expect(await send('/reset-password', { newPassword: 'a new password', token }, elsewhere)).toBe(200);
    expect(await signIn('a new password', elsewhere)).toBe(200);
  });

  it('a sign-in before the address is verified sends no more than five mails an hour', async () => {
    const verifying = await world.another({ rateLimit: true, emailVerification: true, now: () => now });
    await signUp({ at: verifying });
    for (let tries = 0; tries < 7; tries += 1) expect(await signIn(PASSWORD, { at: verifying })).toBe(403);
    await verifying.mailSent();
    expect(world.mails.filter(({ to }) => to === owner)).toHaveLength(1 + 5);
  });

  it('a session records the address of the connection, not a forged one', async () => {
    const headers = { origin: APP, 'x-forwarded-for': '10.6.6.6', 'x-cuebird-client-address': '10.6.6.6' };
    const body = JSON.stringify({ name: 'Ann', email: owner, password: PASSWORD });
    const request = () => new Request(`${APP}/api/auth/sign-up/email`, { method: 'POST', headers, body });
    await world.auth.handle(request(), { clientAddress: home });
    const { rows } = await world.pool.query(
      'select ip_address from auth_sessions s join profiles p on p.id = s.user_id where p.email = $1',
      [owner],
    );
    expect(rows).toEqual([{ ip_address: home }]);
  });
});
