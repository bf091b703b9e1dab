import { describe, expect, it, onTestFinished } from 'vitest';
import { APP, PASSWORD, startAuth } from '#testing/auth.ts';

describe('guessing passwords', () => {
  it('ends after ten tries a minute from one address, whatever address the caller claims, and for nobody else', async () => {
    const { auth, stop } = await startAuth({ rateLimit: true });
    onTestFinished(stop);
    const guess = async (clientAddress: string, claimed: number) => {
      const headers = {
        origin: APP,
        'content-type': 'application/json',
        'x-forwarded-for': `10.0.0.${claimed}`,
        'x-cuebird-client-address': `10.0.0.${claimed}`,
      };
      const body = JSON.stringify({ email: 'ann@example.com', password: PASSWORD });
      const request = new Request(`${APP}/api/auth/sign-in/email`, { method: 'POST', headers, body });
      return (await auth.handle(request, { clientAddress })).status;
    };
    const statuses: number[] = [];
    for (let i = 0; i < 12; i += 1) statuses.push(await guess('203.0.113.7', i));
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect(await guess('203.0.113.8', 1)).toBe(401);
  });

  it('goes by what the connection says, and a session records no address that a caller made up', async () => {
    const { auth, pool, stop } = await startAuth();
    onTestFinished(stop);
    const signUp = (email: string, from?: { clientAddress: string }) => {
      const headers = { origin: APP, 'x-forwarded-for': '10.6.6.6', 'x-cuebird-client-address': '10.6.6.6' };
      const body = JSON.stringify({ name: 'Ann', email, password: PASSWORD });
      return auth.handle(new Request(`${APP}/api/auth/sign-up/email`, { method: 'POST', headers, body }), from);
    };
    await signUp('ann@example.com', { clientAddress: '203.0.113.7' });
    await signUp('ben@example.com');
    const { rows } = await pool.query('select ip_address from auth_sessions order by id');
    expect(rows[0]).toEqual({ ip_address: '203.0.113.7' });
    expect(rows[1]).not.toEqual({ ip_address: '10.6.6.6' });
  });
});
