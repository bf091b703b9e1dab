import { type PeopleCounts, shownReasons } from '#contract/job-states.ts';

/** The people of two runs together; somebody who is in both counts twice. The most frequent reasons are kept. */
export function addPeople(one: PeopleCounts, other: PeopleCounts): PeopleCounts {
  const unreached = new Map<string, PeopleCounts['unreached'][number]>();
  for (const each of [...one.unreached, ...other.unreached]) {
    const key = JSON.stringify([each.outcome, each.reason_code, each.reason_params]);
    unreached.set(key, { ...each, people: each.people + (unreached.get(key)?.people ?? 0) });
  }
  return {
    total: one.total + other.total,
    reached: one.reached + other.reached,
    waiting: one.waiting + other.waiting,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    excluded: one.excluded + other.excluded,
    unreached: [...unreached.values()].toSorted((a, b) => b.people - a.people).slice(0, shownReasons * 10),
  };
}
