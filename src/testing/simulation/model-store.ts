import type { Claim } from '#engine/claimed.ts';
import type { EngineStore } from '#engine/store.ts';
import { ledgerOf, skipLines } from '#testing/simulation/lines.ts';
import * as claiming from '#testing/simulation/model-claim.ts';
import * as held from '#testing/simulation/model-held.ts';
import { type NewJobId, plan } from '#testing/simulation/model-jobs.ts';
import { holdChannel, takeTimes } from '#testing/simulation/model-pace.ts';
import { record } from '#testing/simulation/model-record.ts';
import { rescue } from '#testing/simulation/model-rescue.ts';
import { isoOf, type Tables } from '#testing/simulation/tables.ts';

/** Runs one piece of work after the other, in the order in which they were asked for. */
export type InTurn = <T>(work: () => T | Promise<T>) => Promise<T>;

export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}

/**
 * The engine's database in memory, with what `engine/postgres` means: one transaction at a time, whole or not at all.
 * @param options.arranged in which order the jobs of a claim come back: SQL promises none
 */
export function createModelStore(
  tables: Tables,
  { inTurn, newId, arranged = (jobs) => jobs }: { inTurn: InTurn; newId: NewJobId; arranged?: <T>(jobs: T[]) => T[] },
): EngineStore {
  return {
    claim: (request, decide) =>
      inTurn(async () => {
        const jobs = claiming
          .dueJobs(tables, request)
          .map((job) => claiming.asClaimed(tables, { job, now: request.now }));
        if (jobs.length === 0) return null;
        const usageBefore = new Map(tables.usage);
        try {
          const claim: Claim = await decide(claiming.foundIn(tables, { jobs: arranged(jobs), now: request.now }));
          claiming.writeClaim(tables, { claim, request, newId });
          return claim;
        } catch (error) {
          tables.usage = usageBefore;
          throw error;
        }
      }),
    nextDue: (except) => inTurn(() => held.nextDue(tables, except)),
    stillHeld: (claimId, waiting) => inTurn(() => held.stillHeld(tables, claimId, waiting)),
    beginAttempts: (job, request) => inTurn(() => held.beginAttempts(tables, job, request)),
    standOf: (jobId) =>
      inTurn(() => {
        const job = tables.jobs.get(jobId);
        if (job === undefined) return null;
        const { status, claim_id, stop_reason, error_message } = job;
        return { status, claim_id, stop_reason, error_message };
      }),
    skipOpen: ({ id, scheduledFor }, { reason, now }) =>
      inTurn(() => skipLines(ledgerOf(tables, { id, scheduled_for: isoOf(scheduledFor) }), { reason, now })),
    takeTimes: (...asked) => inTurn(() => takeTimes(tables, asked)),
    holdChannel: (...asked) => inTurn(() => holdChannel(tables, asked)),
    extendLeases: (claimIds, until) =>
      inTurn(() => {
        const kept = claimIds.flatMap((id) => tables.claims.get(id) ?? []);
        for (const claim of kept) claim.lease_until = isoOf(until);
        return new Set(kept.map((claim) => claim.id));
      }),
    record: (batch) => inTurn(() => record(tables, batch)),
    openClaims: () =>
      inTurn(() => [...tables.claims.values()].map(({ id, lease_until: leaseUntil }) => ({ id, leaseUntil }))),
    rescue: (request, settle) => inTurn(() => rescue(tables, request, settle)),
    withoutNext: (request) => inTurn(() => held.withoutNext(tables, request)),
    plan: (successors) => inTurn(() => plan(tables, { successors, newId })),
  };
}
