import { describe, expect, it } from 'vitest';
import { planBy, type Subscription } from '#domain/subscription.ts';

const now = Temporal.Instant.from('2026-03-10T12:00:00Z');

const subscription = (of: Partial<Subscription> = {}): Subscription => ({
  id: 'sub_1',
  customer_id: 'cus_1',
  tier: 'premium',
  status: 'active',
  created_at: '2026-03-01T00:00:00Z',
  current_period_end: '2026-04-01T00:00:00Z',
  cancels_at: null,
  failed_at: null,
  ...of,
});

describe('the plan of a workspace', () => {
  it('is Free and active without a subscription', () => {
    expect(planBy([], now)).toEqual({ tier: 'free', status: 'active', end_date: null, plan_ends_at: null });
  });

  it('is that of an active subscription, and renews', () => {
    expect(planBy([subscription()], now)).toEqual({
      tier: 'premium',
      status: 'active',
      end_date: '2026-04-01T00:00:00Z',
      plan_ends_at: null,
    });
  });

  it('ends with the period of a cancelled subscription, and not before', () => {
    const cancelled = subscription({ cancels_at: '2026-04-01T00:00:00Z' });
    expect(planBy([cancelled], now)).toMatchObject({ tier: 'premium', plan_ends_at: '2026-04-01T00:00:00Z' });
    const after = Temporal.Instant.from('2026-04-01T00:00:00Z');
    expect(planBy([cancelled], after)).toEqual({
      tier: 'free',
      status: 'canceled',
      end_date: null,
      plan_ends_at: null,
    });
  });

  it.each([
    ['2026-03-03T12:00:01Z', 'premium'],
    ['2026-03-03T12:00:00Z', 'free'],
  ])('whose payment failed at %s is %s on 10 March at noon: seven days of grace', (failed_at, tier) => {
    expect(planBy([subscription({ status: 'past_due', failed_at })], now)).toMatchObject({ tier, status: 'past_due' });
  });

  it('ends with the grace, where it was also cancelled to a later date', () => {
    const both = subscription({
      status: 'past_due',
      failed_at: '2026-03-09T12:00:00Z',
      cancels_at: '2026-04-01T00:00:00Z',
    });
    expect(planBy([both], now).plan_ends_at).toBe('2026-03-16T12:00:00Z');
  });

  it('is the highest of several, however they are ordered', () => {
    const three = [
      subscription({ id: 'sub_1', tier: 'basic' }),
      subscription({ id: 'sub_2', tier: 'enterprise' }),
      subscription({ id: 'sub_3', tier: 'enterprise', status: 'canceled' }),
    ];
    for (const order of [three, three.toReversed()]) expect(planBy(order, now).tier).toBe('enterprise');
  });

  it.each(['incomplete', 'incomplete_expired', 'canceled', 'unpaid', 'paused'] as const)(
    'is Free while it is %s',
    (status) => {
      expect(planBy([subscription({ status })], now)).toMatchObject({ tier: 'free', status });
    },
  );

  it('says why the newest one no longer counts', () => {
    const older = subscription({ id: 'sub_1', status: 'canceled' });
    const newer = subscription({ id: 'sub_2', status: 'unpaid', created_at: '2026-03-05T00:00:00Z' });
    for (const order of [
      [older, newer],
      [newer, older],
    ])
      expect(planBy(order, now).status).toBe('unpaid');
  });
});
