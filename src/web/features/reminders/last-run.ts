import type { LastRun } from '#contract/reminders.ts';
import { hasMissedSomebody, isPartlySent, partlySent, reachedText } from '#domain/run-outcome.ts';
import type { Tone } from '#web/app/theme.ts';

const words: Record<LastRun['status'], string> = {
  pending: 'waiting for a retry',
  running: 'running',
  completed: 'sent',
  failed: 'failed',
  cancelled: 'cancelled',
  paused: 'paused',
};

/** What the last run of a reminder came to, in few words: `partly sent, 173 of 184 people`. */
export function lastRunText(run: LastRun): string {
  const word = isPartlySent(run) ? partlySent.toLowerCase() : words[run.status];
  const hasEnded = run.status === 'completed' || run.status === 'failed';
  return hasEnded && run.people !== null && run.people.total > 0 ? `${word}, ${reachedText(run.people)}` : word;
}

export function lastRunTone(run: LastRun): Tone {
  if (run.status === 'failed') return isPartlySent(run) ? 'waiting' : 'bad';
  return run.status === 'pending' || run.status === 'running' || hasMissedSomebody(run) ? 'waiting' : 'quiet';
}
