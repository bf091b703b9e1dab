import { describe, expect, it } from 'vitest';
import { jobStatuses } from '#contract/job-states.ts';
import { isOffered, jobActions, resultOf } from '#domain/job-state.ts';

const result = (tally: Parameters<typeof resultOf>[0], reason: string | null = null) => resultOf(tally, { reason });

describe('a job whose deliveries have all ended', () => {
  it('is completed when everybody was served', () => {
    expect(result({ accepted: 2, delivered: 1 })).toEqual({ status: 'completed', message: null });
    expect(result({ accepted: 1 }, 'HTTP 500 at first')).toEqual({ status: 'completed', message: null });
  });

  it('is completed when some were skipped on purpose, and says how many', () => {
    expect(result({ accepted: 2, skipped: 1 }, 'Unsubscribed')).toEqual({
      status: 'completed',
      message: '1 of 3 skipped: Unsubscribed',
    });
    expect(result({ delivered: 2, skipped: 1 })).toEqual({ status: 'completed', message: '1 of 3 skipped' });
  });

  it('is failed as soon as one failed or is unknown, and says how many of how many', () => {
    expect(result({ accepted: 3, failed: 1, skipped: 1 }, 'HTTP 404')).toEqual({
      status: 'failed',
      message: '1 of 5 failed: HTTP 404',
    });
    expect(result({ unknown: 1, failed: 1 })).toEqual({ status: 'failed', message: '2 of 2 failed' });
    expect(result({ unknown: 1, delivered: 9 })).toMatchObject({ status: 'failed' });
  });

  it('is cancelled with the reason when nothing was sent at all', () => {
    expect(result({ skipped: 2 }, 'The reminder is paused')).toEqual({
      status: 'cancelled',
      message: 'The reminder is paused',
    });
    expect(result({})).toEqual({ status: 'cancelled', message: 'There were no recipients' });
  });
});

describe('the actions of the job list', () => {
  it('are offered as the status allows', () => {
    const offered = Object.fromEntries(
      jobStatuses.map((status) => [
        status,
        (['pause', 'resume', 'retry', 'cancel'] as const).filter((action) =>
          isOffered(action, { status, type: 'reminder' }),
        ),
      ]),
    );
    expect(offered).toEqual({
      pending: ['pause', 'cancel'],
      running: ['cancel'],
      completed: [],
      failed: ['retry'],
      cancelled: ['retry'],
      paused: ['resume'],
    });
  });

  it('lead to the status that their name says', () => {
    expect(Object.entries(jobActions).map(([action, { to }]) => `${action}: ${to}`)).toEqual([
      'pause: paused',
      'resume: pending',
      'retry: pending',
      'cancel: cancelled',
    ]);
  });
});
