import { describe, expect, it } from 'vitest';
import { isPartlySent } from '#domain/run-outcome.ts';
import { actionLabel, lineOf, lineTone, runText } from './run-words.ts';

const lacking = {
  outcome: 'failed',
  reason_code: 'missing_value',
  reason_params: { name: 'street' },
  people: 11,
} as const;
const people = { total: 184, reached: 173, waiting: 0, failed: 11, skipped: 0, excluded: 0, unreached: [lacking] };
const recipients = { total: 215, sent: 174, waiting: 0, problems: 41, skipped: 0 };
const job = {
  status: 'failed' as const,
  error_message: '11 of 184 failed: no value for {{street}}',
  people,
  recipients,
};

describe('the line of a run', () => {
  it('says how many people were reached, and what became of the others', () => {
    expect(runText(job)).toBe('173 of 184 people · 11 lack Street');
    const one = { ...lacking, reason_params: { name: 'stra_e' }, people: 1 };
    expect(
      runText({
        ...job,
        people: { total: 1_204, reached: 1_197, waiting: 2, failed: 3, skipped: 2, excluded: 0, unreached: [one] },
      }),
    ).toBe('1,197 of 1,204 people · 1 lacks stra_e · 2 failed · 2 waiting · 2 skipped');
    expect(runText({ recipients, people: { ...people, total: 1, reached: 1, failed: 0, unreached: [] } })).toBe(
      '1 of 1 person',
    );
  });

  it('says which address people lack', () => {
    const lack = (lacks: 'email' | 'phone' | 'either', of: number) =>
      ({ outcome: 'skipped', reason_code: 'no_address', reason_params: { lacks }, people: of }) as const;
    const unreached = [lack('email', 7), lack('phone', 1), lack('either', 2)];
    expect(runText({ recipients, people: { ...people, reached: 173, failed: 0, skipped: 11, unreached } })).toBe(
      '173 of 184 people · 7 have no email address · 1 has no phone · 2 have no email address and no phone · 1 skipped',
    );
  });

  it('counts messages where people are not counted', () => {
    expect(lineOf({ ...job, people: null })).toBe('174 of 215 messages');
  });

  it('is the job’s own message where nobody was reached and nothing failed, or nothing is counted', () => {
    const skipped = { ...people, reached: 0, failed: 0, skipped: 184, excluded: 0, unreached: [] };
    const message = 'The reminder was paused';
    expect(lineOf({ ...job, status: 'cancelled', error_message: message, people: skipped })).toBe(message);
    expect(lineOf({ ...job, people: null, recipients: null })).toBe(job.error_message);
    expect(lineOf({ ...job, people: { ...skipped, total: 0, skipped: 0 } })).toBe(job.error_message);
    expect(lineOf(job)).toBe('173 of 184 people · 11 lack Street');
  });

  it('is a warning where some were reached, and a failure where none was', () => {
    expect([isPartlySent(job), lineTone(job)]).toEqual([true, 'waiting']);
    const none = { ...job, people: { ...people, reached: 0, failed: 184 } };
    expect([isPartlySent(none), lineTone(none)]).toEqual([false, 'bad']);
    expect(lineTone({ ...job, status: 'completed' })).toBe('waiting');
    const all = { ...people, reached: 184, failed: 0, excluded: 3, unreached: [] };
    expect(lineTone({ ...job, status: 'completed', people: all })).toBe('quiet');
  });
});

it('Retry says to how many people it writes again', () => {
  const begun = { ...job, started_at: '2026-03-02T09:00:00Z' };
  expect(actionLabel('retry', begun)).toBe('Retry 11 failed');
  expect(actionLabel('retry', { ...begun, people: { ...people, skipped: 2 } })).toBe('Retry 11 failed, 2 skipped');
  expect(actionLabel('retry', { ...begun, people: null })).toBe('Retry');
  expect(actionLabel('cancel', begun)).toBe('Cancel');
  expect(actionLabel('retry', { ...begun, status: 'cancelled', started_at: null })).toBe('Send now');
});
