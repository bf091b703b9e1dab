import { describe, expect, it } from 'vitest';
import { actionLabel, isPartial, lineOf, lineTone, runText } from './run-words.ts';

const counts = { total: 193, sent: 189, waiting: 0, problems: 4, skipped: 0 };
const job = { status: 'failed' as const, error_message: '4 of 193 failed: 550 5.1.1', recipients: counts };

describe('the line of a run', () => {
  it('says how many were sent, and what became of the others', () => {
    expect(runText(counts)).toBe('189 of 193 sent · 4 problems');
    expect(runText({ total: 1_204, sent: 1_200, waiting: 2, problems: 1, skipped: 1 })).toBe(
      '1,200 of 1,204 sent · 1 problem · 2 waiting · 1 skipped',
    );
  });

  it('is the job’s own message where nobody was reached and nothing failed, or nothing is counted', () => {
    const skipped = { total: 2, sent: 0, waiting: 0, problems: 0, skipped: 2 };
    const message = 'The reminder was paused';
    expect(lineOf({ status: 'cancelled', error_message: message, recipients: skipped })).toBe(message);
    expect(lineOf({ ...job, recipients: null })).toBe(job.error_message);
    expect(lineOf({ ...job, recipients: { ...skipped, total: 0, skipped: 0 } })).toBe(job.error_message);
    expect(lineOf(job)).toBe('189 of 193 sent · 4 problems');
  });

  it('is a warning where some were reached, and a failure where none was', () => {
    expect([isPartial(job), lineTone(job)]).toEqual([true, 'waiting']);
    const none = { ...job, recipients: { ...counts, sent: 0, problems: 193 } };
    expect([isPartial(none), lineTone(none)]).toEqual([false, 'bad']);
    expect(lineTone({ ...job, status: 'completed' })).toBe('quiet');
  });
});

it('Retry says whom it writes to again', () => {
  expect(actionLabel('retry', job)).toBe('Retry 4 failed');
  expect(actionLabel('retry', { recipients: { ...counts, skipped: 2 } })).toBe('Retry 4 failed, 2 skipped');
  expect(actionLabel('retry', { recipients: null })).toBe('Retry');
  expect(actionLabel('cancel', job)).toBe('Cancel');
});
