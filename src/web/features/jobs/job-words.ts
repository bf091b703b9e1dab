import type { JobStatus } from '#contract/job-states.ts';
import type { JobType } from '#contract/job-types.ts';
import type { ArchiveChoice, JobTime, TestsChoice } from '#web/api/job-filter.ts';

export const typeWords: Record<JobType, string> = {
  reminder: 'Reminder',
  event_reminder: 'Event reminder',
  test_reminder: 'Test',
  api_notification: 'API notification',
  preferences_link: 'Link to preferences',
};

export const statusWords: Record<JobStatus, string> = {
  pending: 'Pending',
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
  paused: 'Paused',
};

/** Each time filter's name in the menu, and its text at the end of the sentence "Show all jobs …". */
export const timeWords: Record<JobTime | 'all', { name: string; before: string; phrase: string }> = {
  all: { name: 'All Time', before: 'of', phrase: 'all time' },
  today: { name: 'Today', before: 'of', phrase: 'today' },
  tomorrow: { name: 'Tomorrow', before: 'of', phrase: 'tomorrow' },
  'next-7-days': { name: 'Next 7 Days', before: 'of', phrase: 'the next 7 days' },
  'past-due': { name: 'Past Due', before: 'that are', phrase: 'past due' },
  yesterday: { name: 'Yesterday', before: 'of', phrase: 'yesterday' },
  'last-7-days': { name: 'Last 7 Days', before: 'of the', phrase: 'last 7 days' },
  'last-30-days': { name: 'Last 30 Days', before: 'of the', phrase: 'last 30 days' },
  'this-month': { name: 'This Month', before: 'of', phrase: 'this month' },
  'last-month': { name: 'Last Month', before: 'of', phrase: 'last month' },
  dates: { name: 'Chosen Days', before: 'of', phrase: 'chosen days' },
};

/** Each archive filter's name in the menu, and its text at the end of that sentence. */
export const archivedWords: Record<ArchiveChoice | 'without', { name: string; phrase: string }> = {
  without: { name: 'Without archived', phrase: 'without archived' },
  with: { name: 'With archived', phrase: 'with archived' },
  only: { name: 'Only archived', phrase: 'only archived' },
};

/** Each choice about tests of reminders. */
export const testsWords: Record<TestsChoice | 'without', { name: string; phrase: string }> = {
  without: { name: 'Without tests', phrase: 'without tests' },
  with: { name: 'With tests', phrase: 'with tests' },
  only: { name: 'Only tests', phrase: 'only tests' },
};
