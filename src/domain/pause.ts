/** A year, in whichever zone and calendar it is chosen. */
const longestDays = 366;

/** Why a pause cannot end then, as a sentence; null when it can. */
export function pauseEndProblem(until: Temporal.Instant, now: Temporal.Instant): string | null {
  if (Temporal.Instant.compare(until, now) <= 0) return 'A pause ends in the future; choose a later time';
  if (Temporal.Instant.compare(until, now.add({ hours: longestDays * 24 })) > 0)
    return 'A pause lasts a year at most; choose an earlier time';
  return null;
}
