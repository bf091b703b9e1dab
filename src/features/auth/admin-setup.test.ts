import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { browserAt, PASSWORD, startAuth } from '#testing/auth.ts';
import { completeAdminSetup, isAdminSetupUsable, prepareAdminSetup } from '#features/auth/admin-setup.service.ts';
import { demoToken, isDemoToken } from '#features/demo/demo-link.ts';

const now = Temporal.Instant.from('2026-11-20T08:00:00Z');

let world: Awaited<ReturnType<typeof startAuth>>;
beforeEach(async () => {
  world = await startAuth();
});
afterEach(() => world.stop());

const personNamed = (name: string, isDemo = false) =>
  world.auth.createPerson({ email: `${name}@example.com`, fullName: name, password: PASSWORD, isDemo });

const administrators = async () =>
  (await world.pool.query('select id from profiles where is_system_admin')).rows.map(({ id }) => id);

describe('the one-time link for the system administrator', () => {
  it('makes the signed-in user who opens it the administrator, and works only once', async () => {
    const [ann, ben] = [await personNamed('ann'), await personNamed('ben')];
    const token = (await prepareAdminSetup(world.pool)) ?? '';
    expect(await completeAdminSetup(world.pool, { userId: ann.id, token, now })).toBe('completed');
    expect(await completeAdminSetup(world.pool, { userId: ben.id, token, now })).toBe('refused');
    expect(await completeAdminSetup(world.pool, { userId: ann.id, token, now })).toBe('refused');
    expect(await administrators()).toEqual([ann.id]);
    expect(await prepareAdminSetup(world.pool)).toBeNull();
  });

  it('makes one administrator when many open it at once, and logs it once', async () => {
    const people = await Promise.all(['ann', 'ben', 'cat', 'dan'].map((name) => personNamed(name)));
    const token = (await prepareAdminSetup(world.pool)) ?? '';
    const results = await Promise.all(
      people.map(({ id }) => completeAdminSetup(world.pool, { userId: id, token, now })),
    );
    expect(results.toSorted()).toEqual(['completed', 'refused', 'refused', 'refused']);
    const [winner] = await administrators();
    expect(winner).toBe(people[results.indexOf('completed')]?.id);
    const { rows } = await world.owner.query('select workspace_id, actor_id, action, created_at from audit_log');
    expect(rows).toEqual([
      {
        workspace_id: null,
        actor_id: winner,
        action: 'admin.setup_completed',
        created_at: new Date('2026-11-20T08:00:00Z'),
      },
    ]);
  });

  it('is replaced by every start of the server until it is used', async () => {
    const ann = await personNamed('ann');
    const first = (await prepareAdminSetup(world.pool)) ?? '';
    const second = (await prepareAdminSetup(world.pool)) ?? '';
    expect(second).not.toBe(first);
    expect(await completeAdminSetup(world.pool, { userId: ann.id, token: first, now })).toBe('refused');
    expect(await completeAdminSetup(world.pool, { userId: ann.id, token: second, now })).toBe('completed');
  });

  it('says whether it can be used, to people without a session too, and is not used up by that', async () => {
    const ann = await personNamed('ann');
    const [old, token] = [(await prepareAdminSetup(world.pool)) ?? '', (await prepareAdminSetup(world.pool)) ?? ''];
    const usable = () => Promise.all([old, token, token].map((one) => isAdminSetupUsable(world.pool, one)));
    expect(await usable()).toEqual([false, true, true]);
    expect(await completeAdminSetup(world.pool, { userId: ann.id, token, now })).toBe('completed');
    expect(await usable()).toEqual([false, false, false]);
  });

  it('refuses the demo account, and remains valid for another user', async () => {
    const [demo, ann] = [await personNamed('demo', true), await personNamed('ann')];
    const token = (await prepareAdminSetup(world.pool)) ?? '';
    expect(await completeAdminSetup(world.pool, { userId: demo.id, token, now })).toBe('refused');
    expect(await completeAdminSetup(world.pool, { userId: ann.id, token: 'guessed', now })).toBe('refused');
    expect(await completeAdminSetup(world.pool, { userId: ann.id, token, now })).toBe('completed');
  });

  it('makes no second administrator, even with another link from a simultaneous start', async () => {
    const [ann, ben] = [await personNamed('ann'), await personNamed('ben')];
    const token = (await prepareAdminSetup(world.pool)) ?? '';
    await world.pool.query('update profiles set is_system_admin = true where id = $1', [ann.id]);
    expect(await completeAdminSetup(world.pool, { userId: ben.id, token, now })).toBe('refused');
    expect(await administrators()).toEqual([ann.id]);
  });

  it('is stored as a hash', async () => {
    const token = (await prepareAdminSetup(world.pool)) ?? '';
    const { rows } = await world.pool.query("select value from app_settings where key = 'admin_setup'");
    expect(rows).toEqual([{ value: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } }]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('takes effect at the next request of a session', async () => {
    const browser = browserAt(world.auth);
    await browser.post('/api/auth/sign-up/email', { name: 'Ann', email: 'ann@example.com', password: PASSWORD });
    const userId = (await world.auth.sessionOf(browser.headers()))?.userId ?? '';
    const token = (await prepareAdminSetup(world.pool)) ?? '';
    await completeAdminSetup(world.pool, { userId, token, now });
    world.auth.forget(browser.headers());
    expect(await world.auth.sessionOf(browser.headers())).toMatchObject({ isSystemAdmin: true });
  });
});

describe('the link into the demo', () => {
  const now = Temporal.Instant.from('2026-03-02T08:00:00Z');
  const token = demoToken('a secret', { now });
  const isOpen = (given: string, { days = 0, secrets = ['a newer one', 'a secret'] } = {}) =>
    isDemoToken(given, { secrets, now: now.add({ hours: 24 * days }) });

  it('works with the secret that made it, also after a newer one, and with no other', () => {
    expect([isOpen(token), isOpen(demoToken('another secret', { now }))]).toEqual([true, false]);
    for (const guess of ['', 'a secret', `${token}=`, token.slice(1), token.replace('-', '--')])
      expect(isOpen(guess), guess).toBe(false);
  });

  it('is another one each day, and ends after thirty', () => {
    expect(demoToken('a secret', { now: now.add({ hours: 24 }) })).not.toBe(token);
    expect([29, 30, -1].map((days) => isOpen(token, { days }))).toEqual([true, false, false]);
    // The day is signed.
    const [, mac] = token.split(/-(.*)/);
    expect(isOpen(`${Number.parseInt(token, 10) + 20}-${mac}`, { days: 40 })).toBe(false);
  });
});
