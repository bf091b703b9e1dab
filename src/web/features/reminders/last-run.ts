import type { LastRun } from '#contract/reminders.ts';
import type { Tone } from '#web/app/theme.ts';

const words: Record<LastRun['status'], string> = {
  pending: 'waiting for a retry',
  running: 'running',
  completed: 'sent',
  failed: 'failed',
  cancelled: 'cancelled',
  paused: 'paused',
};

/** What the last run of a reminder came to, in few words: `190 of 192 sent`. */
export function lastRunText({ status, recipients }: LastRun): string {
  const hasEnded = status === 'completed' || status === 'failed';
  if (!hasEnded || recipients === null || recipients.total === 0) return words[status];
  return `${recipients.sent.toLocaleString('en')} of ${recipients.total.toLocaleString('en')} sent`;
}

export function lastRunTone({ status, recipients }: LastRun): Tone {
  if (status === 'failed') return recipients !== null && recipients.sent > 0 ? 'waiting' : 'bad';
  return status === 'pending' || status === 'running' ? 'waiting' : 'quiet';
}
