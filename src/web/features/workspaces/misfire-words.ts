import type { MisfirePolicy } from '#contract/misfire.ts';

/** What is done with occurrences that were missed, in plain words. */
export const misfireWords: Record<MisfirePolicy, string> = {
  latest: 'Send the newest one only',
  skip: 'Send none of them',
  all: 'Send each of them, at most 100',
};

/** The workspace's rule, for reminders without one of their own. */
export const misfireOf = ({ misfire }: Record<string, unknown>): MisfirePolicy =>
  misfire === 'skip' || misfire === 'all' ? misfire : 'latest';
