import type { Claim } from '#engine/claimed.ts';
import type { ClaimedJob, LiveDelivery } from '#engine/run.ts';
import type { Pair } from '#testing/simulation/pair.ts';
import type { Random } from '#testing/simulation/random.ts';
import type { JobRow } from '#testing/simulation/tables.ts';

export type Room = { pair: Pair; random: Random; now: Temporal.Instant; hands: Hands; reminders: { count: number } };

/** What workers believe to hold; some of it has long been taken from them. */
type Hands = { claims: Claim[]; attempts: Attempt[] };

export type Attempt = { job: ClaimedJob; claimId: string; delivery: LiveDelivery };

export const workspaceIds = ['01900000-0000-7000-8000-00000000000a', '01900000-0000-7000-8000-00000000000b'] as const;
export const channelId = '01900000-0000-7000-8000-0000000000c1';

export const someJob = ({ pair, random }: Room): JobRow | undefined =>
  random.shuffled([...pair.tables.jobs.values()])[0];
