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
});
