import type { ClaimDecision } from '#engine/run/claim-decision.ts';
import type { ClaimedJob } from '#engine/run/claimed-job.ts';
import type { LiveDelivery } from '#engine/run/live-delivery.ts';
import type { Pair } from '#simulation/pair.ts';
import type { Random } from '#simulation/random.ts';
import type { JobRow } from '#simulation/tables.ts';

export type ConformanceState = {
  pair: Pair;
  random: Random;
  now: Temporal.Instant;
  assumed: Assumed;
  reminders: { count: number };
};

/** What workers believe they own. Some of it has been taken from them. */
type Assumed = { claims: ClaimDecision[]; attempts: Attempt[] };

export type Attempt = {
  job: ClaimedJob;
  claimId: string;
  claimedAt: Temporal.Instant;
  delivery: LiveDelivery;
};

export const workspaceIds = ['01900000-0000-7000-8000-00000000000a', '01900000-0000-7000-8000-00000000000b'] as const;
export const channelId = '01900000-0000-7000-8000-0000000000c1';

export const someJob = ({ pair, random }: ConformanceState): JobRow | undefined =>
  random.shuffled([...pair.tables.jobs.values()])[0];
