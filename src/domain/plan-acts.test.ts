import { describe, expect, it } from 'vitest';
import { planAct } from '#domain/plan-acts.ts';
import type { SubscribedPlan } from '#domain/subscription.ts';

const plan = (of: Partial<SubscribedPlan> = {}): SubscribedPlan => ({
  tier: 'premium',
  status: 'active',
  end_date: '2026-04-01T00:00:00Z',
  plan_ends_at: null,
  ...of,
});
const free = plan({ tier: 'free', end_date: null });
const ending = { plan_ends_at: '2026-04-01T00:00:00Z' };
const due = plan({ status: 'past_due', ...ending });

describe('the audit log tells of a plan', () => {
  it.each([
    ['that it was ordered', free, plan(), { action: 'billing.plan_changed', details: { from: 'Free', to: 'Premium' } }],
    [
      'that it was changed',
      plan({ tier: 'basic' }),
      plan(),
      { action: 'billing.plan_changed', details: { from: 'Basic', to: 'Premium' } },
    ],
    [
      'that it was cancelled',
      plan(),
      plan(ending),
      { action: 'billing.plan_cancelled', details: { plan: 'Premium', until: '2026-04-01T00:00:00Z' } },
    ],
    ['that it goes on', plan(ending), plan(), { action: 'billing.plan_continued', details: { plan: 'Premium' } }],
    [
      'that a payment failed',
      plan(),
      due,
      { action: 'billing.payment_failed', details: { plan: 'Premium', until: '2026-04-01T00:00:00Z' } },
    ],
    ['that it was paid', due, plan(), { action: 'billing.plan_continued', details: { plan: 'Premium' } }],
    [
      'that it ended with the days of grace',
      due,
      plan({ ...free, status: 'past_due' }),
      { action: 'billing.plan_unpaid', details: { plan: 'Premium' } },
    ],
    [
      'that it ended with its period',
      plan(ending),
      plan({ ...free, status: 'canceled' }),
      { action: 'billing.plan_ended', details: { plan: 'Premium' } },
    ],
  ])('%s', (_, before, after, expected) => {
    expect(planAct(before, after)).toEqual(expected);
  });

  it.each([
    ['the same', plan(), plan({ end_date: '2026-05-01T00:00:00Z' })],
    ['still due', due, due],
    ['Free with another status', free, plan({ ...free, status: 'incomplete' })],
  ])('nothing while it is %s', (_, before, after) => {
    expect(planAct(before, after)).toBeNull();
  });
});
