import { describe, expect, it } from 'vitest';
import * as made from '#domain/ledger-reasons.ts';

describe('a refusal because of the plan', () => {
  const of = ({ code, reason }: made.Reason) => made.isPlanRefusal({ reason_code: code, error_message: reason });

  it('is told by the code of the job', () => {
    expect(
      [made.planUsedUp('Free', 100), made.beyondPlan('Basic'), made.channelNotInPlan('Free', 'sms')].map(of),
    ).toEqual([true, true, true]);
    expect([made.reminderWasEdited, made.jobWasCancelled].map(of)).toEqual([false, false]);
  });

  it('is told by the sentence where the recipients have the code', () => {
    const without = (error_message: string) => made.isPlanRefusal({ reason_code: null, error_message });
    expect(without(made.channelNotInPlan('Free', 'sms').reason)).toBe(true);
    expect(without('HTTP 404')).toBe(false);
  });
});

it('a row without a code keeps its sentence', () => {
  expect(made.reasonOf({ reason: 'HTTP 404', reason_code: null })).toEqual({ code: 'refused', reason: 'HTTP 404' });
  expect(made.reasonOf({ reason: null, reason_code: null })).toBeNull();
  expect(made.reasonOfStop({ code: null, reason: 'Stopped' })).toEqual({ code: 'cancelled', reason: 'Stopped' });
  expect(made.reasonOfStop({ code: 'missed', reason: 'Stopped' })).toEqual({ code: 'missed', reason: 'Stopped' });
});
