import { checkAttempts } from '#simulation/check-attempts.ts';
import { checkAudiences } from '#simulation/check-audiences.ts';
import { checkCaps } from '#simulation/check-caps.ts';
import { checkChains } from '#simulation/check-chains.ts';
import { checkConsents } from '#simulation/check-consents.ts';
import { checkMisfires } from '#simulation/check-misfires.ts';
import { checkOccurrences } from '#simulation/check-occurrences.ts';
import { checkPauses } from '#simulation/check-pauses.ts';
import { checkStopRequests } from '#simulation/check-stop-requests.ts';
import { checkState, checkTables } from '#simulation/check-tables.ts';
import { checkTimes } from '#simulation/check-times.ts';
import { checkTopics } from '#simulation/check-topics.ts';
import { checkWishes } from '#simulation/check-wishes.ts';
import type { Evidence } from '#simulation/evidence.ts';

/**
 * What must hold although the database has lost transactions: events are no evidence of what it knows, but everything ends, and what is recorded agrees
 * with itself.
 */
export const checkAfterLoss = (evidence: Evidence): string[] => checkState(evidence);

/** All violated invariants, as sentences; empty when there are none. */
export const check = (evidence: Evidence): string[] => [
  ...checkAudiences(evidence),
  ...checkTables(evidence),
  ...checkAttempts(evidence),
  ...checkCaps(evidence),
  ...checkChains(evidence),
  ...checkOccurrences(evidence),
  ...checkMisfires(evidence),
  ...checkPauses(evidence),
  ...checkStopRequests(evidence),
  ...checkTopics(evidence),
  ...checkConsents(evidence),
  ...checkWishes(evidence),
  ...checkTimes(evidence),
];
