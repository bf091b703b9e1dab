import { describe, expect, it } from 'vitest';
import * as made from '#domain/ledger-reasons.ts';

describe('a refusal because of the plan', () => {
  const of = ({ code }: made.Reason) => made.isPlanRefusal(code);

  it('is told by its code', () => {
    expect(
      [made.planUsedUp('Free', 100), made.beyondPlan('Basic'), made.channelNotInPlan('Free', 'sms')].map(of),
    ).toEqual([true, true, true]);
    expect([made.reminderWasEdited, made.jobWasCancelled].map(of)).toEqual([false, false]);
    expect(made.isPlanRefusal(null)).toBe(false);
  });
});

it('a row without a code keeps its sentence', () => {
  expect(made.reasonOf({ reason: 'HTTP 404', reason_code: null })).toEqual({ code: 'refused', reason: 'HTTP 404' });
  expect(made.reasonOf({ reason: null, reason_code: null })).toBeNull();
  expect(made.reasonOfStop({ code: null, reason: 'Stopped' })).toEqual({ code: 'cancelled', reason: 'Stopped' });
  expect(made.reasonOfStop({ code: 'missed', reason: 'Stopped' })).toEqual({ code: 'missed', reason: 'Stopped' });
});
