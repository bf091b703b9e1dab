import { type RecipientCounts, type RecipientGroup, recipientGroups } from '#contract/job-states.ts';
import type { DeliveryStatus } from '#contract/deliveries.ts';
import type { Tally } from '#domain/job-state.ts';

/** The statuses of each group. */
export const statusesIn: Record<RecipientGroup, readonly DeliveryStatus[]> = {
  problems: ['failed', 'unknown'],
  waiting: ['queued', 'sending', 'waiting'],
  skipped: ['skipped'],
  sent: ['accepted', 'delivered'],
};

export function countsOf(tally: Tally): RecipientCounts {
  const count = (group: RecipientGroup) => statusesIn[group].reduce((sum, status) => sum + (tally[status] ?? 0), 0);
  const [problems, waiting, skipped, sent] = [count('problems'), count('waiting'), count('skipped'), count('sent')];
  return { total: problems + waiting + skipped + sent, sent, waiting, problems, skipped };
}

/** The position of a status where problems come first. */
export const rankOf = (status: DeliveryStatus): number =>
  recipientGroups.findIndex((group) => statusesIn[group].includes(status));
