import type { PreparedJob } from '#engine/run/prepared-job.ts';

/**
 * The most that one claim does for audiences. Everybody in a claim waits until its transaction has ended; jobs beyond the budget stay in
 * the queue for the next one. The last job that fits may exceed it, so that every claim serves one.
 */
export type AudienceBudget = {
  /** How many lookups: each distinct audience is one, and each group that it names. */
  lookups: number;
  /** People of all audiences together. */
  people: number;
};

export const defaultAudienceBudget: AudienceBudget = { lookups: 40, people: 10_000 };

/** The jobs in the order in which they spend the budget: round robin by workspace, each with what has been due for longest. */
export function roundRobin<One extends Pick<PreparedJob, 'job'>>(jobs: readonly One[]): One[] {
  const waiting = jobs.toSorted((a, b) => dueMs(a) - dueMs(b) || (a.job.id < b.job.id ? -1 : 1));
  const ranks = new Map<string, number>();
  return waiting
    .map((one) => {
      const rank = ranks.get(one.job.workspace_id) ?? 0;
      ranks.set(one.job.workspace_id, rank + 1);
      return { one, rank };
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}

const dueMs = ({ job }: Pick<PreparedJob, 'job'>) => Date.parse(job.due_at ?? job.scheduled_for);
