import type { Job, JobStatus, JobType } from '#contract/jobs.ts';
import type { JobTime } from '#web/api/job-filter.ts';
import type { Tone } from '#web/app/theme.ts';

export const typeWords: Record<JobType, string> = {
  reminder: 'Reminder',
  event_reminder: 'Event reminder',
  test_reminder: 'Test',
  api_notification: 'API notification',
};

export const statusWords: Record<JobStatus, string> = {
  pending: 'Pending',
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
  paused: 'Paused',
};

/** Each time filter by its name in the menu and as the end of the sentence "Show all jobs …". */
export const timeWords: Record<JobTime | 'all', { name: string; before: string; phrase: string }> = {
  all: { name: 'All Time', before: 'of', phrase: 'all time' },
  today: { name: 'Today', before: 'of', phrase: 'today' },
  tomorrow: { name: 'Tomorrow', before: 'of', phrase: 'tomorrow' },
  'next-7-days': { name: 'Next 7 Days', before: 'of', phrase: 'the next 7 days' },
  'past-due': { name: 'Past Due', before: 'that are', phrase: 'past due' },
};

/** The tone of what a job says in `error_message`: a retry that waits is no failure yet. */
export const messageTone = ({ status }: Job): Tone =>
  status === 'failed' ? 'bad' : status === 'pending' || status === 'running' ? 'waiting' : 'quiet';
