import { expect, it } from 'vitest';
import { bansIn } from '#simulation/bans.ts';
import { createHistory } from '#simulation/history.ts';
import type { Act, JobView } from '#simulation/people.ts';

const workspaceId = 'workspace';
const reminderId = 'reminder';
const job: JobView = {
  id: 'job',
  reminder_id: reminderId,
  type: 'reminder',
  status: 'pending',
  scheduled_for: '2026-03-02T17:10:00.000Z',
  attempts: 0,
  stop_reason: null,
  expires_at: null,
};

const switching = (to: 'active' | 'paused', id = reminderId): Act => ({
  kind: 'switch',
  workspaceId,
  reminderId: id,
  to,
});

/** A pause during which another user acts, who still saw the job pending and leaves it so. */
function bansOfPause({ overlapping, act }: { overlapping: boolean; act: Act }) {
  const { events, moment, record } = createHistory({ nowMs: () => 0, steadyMs: () => 0 });
  const early = moment();
  const answer = { kind: 'done' as const, id: null };
  record({
    kind: 'act',
    since: moment(),
    act: switching('paused'),
    done: { answer, before: [job], after: [{ ...job, status: 'paused' }] },
  });
  record({ kind: 'act', since: overlapping ? early : moment(), act, done: { answer, before: [job], after: [job] } });
  return bansIn(events)
    .jobs.get(job.id)
    ?.map(({ until, why }) => ({ isOver: until !== null, why }));
}

const why = 'it was paused (switch)';

it('ends the ban of a pause when the reminder was resumed at the same time', () => {
  expect(bansOfPause({ overlapping: true, act: switching('active') })).toEqual([{ isOver: true, why }]);
});

it.each([
  ['another reminder was resumed at the same time', { overlapping: true, act: switching('active', 'other') }],
  ['nothing has resumed the reminder since', { overlapping: false, act: switching('active') }],
])('keeps the ban of a pause when %s', (_, pause) => {
  expect(bansOfPause(pause)).toEqual([{ isOver: false, why }]);
});
