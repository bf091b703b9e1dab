import { checkAttempts } from '#testing/simulation/check-attempts.ts';
import { checkMisfires } from '#testing/simulation/check-misfires.ts';
import { checkOccurrences } from '#testing/simulation/check-occurrences.ts';
import { checkStops } from '#testing/simulation/check-stops.ts';
import { checkTables } from '#testing/simulation/check-tables.ts';
import { checkTimes } from '#testing/simulation/check-times.ts';
import type { Evidence } from '#testing/simulation/evidence.ts';

/** Everything that must never be, in sentences; nothing where all is well. */
export const check = (evidence: Evidence): string[] => [
  ...checkTables(evidence),
  ...checkAttempts(evidence),
  ...checkOccurrences(evidence),
  ...checkMisfires(evidence),
  ...checkStops(evidence),
  ...checkTimes(evidence),
];
