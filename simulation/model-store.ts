import { workspaceWasDeleted } from '#domain/ledger-reasons.ts';
import type { ClaimDecision } from '#engine/run/claim-decision.ts';
import type { EngineStore } from '#engine/store.ts';
import { ledgerOf, skipLines } from '#simulation/lines.ts';
import * as claiming from '#simulation/model-claim.ts';
import * as owned from '#simulation/model-owned.ts';
import { type NewJobId, schedule } from '#simulation/model-jobs.ts';
import { backOffChannel, takeTimes } from '#simulation/model-rate-limits.ts';
import { record } from '#simulation/model-record.ts';
import { rescue, restoreClaims } from '#simulation/model-rescue.ts';
import { isoOf, type Tables } from '#simulation/tables.ts';

/** Runs the given functions one after the other, in the order of the calls. */
export type Serialize = <T>(work: () => T | Promise<T>) => Promise<T>;

export function createSerialQueue(): Serialize {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}

/**
 * The engine's store in memory, with the semantics of `engine/postgres`: one transaction at a time, all or nothing.
 * @param options.arranged the order in which a claim returns its jobs: SQL guarantees none
 */
export function createModelStore(
  tables: Tables,
  {
    serialize,
    newId,
    arranged = (jobs) => jobs,
  }: { serialize: Serialize; newId: NewJobId; arranged?: <T>(jobs: T[]) => T[] },
): EngineStore {
  return {
    claim: (request, decide) =>
      serialize(async () => {
        const jobs = claiming
          .dueJobs(tables, request)
          .map((job) => claiming.asClaimed(tables, { job, now: request.now }));
        if (jobs.length === 0) return null;
        const usageBefore = new Map(tables.usage);
        try {
          const claim: ClaimDecision = await decide(
            claiming.foundIn(tables, { jobs: arranged(jobs), now: request.now }),
          );
          claiming.writeClaim(tables, { claim, request, newId });
          return claim;
        } catch (error) {
          tables.usage = usageBefore;
          throw error;
        }
      }),
    nextDue: (except) => serialize(() => owned.nextDue(tables, except)),
    awaitingAudience: (request) => serialize(() => owned.awaitingAudience(tables, request)),
    stillOwned: (claimId, request) => serialize(() => owned.stillOwned(tables, claimId, request)),
    beginAttempts: (job, request) => serialize(() => owned.beginAttempts(tables, job, request)),
    jobState: (jobId) =>
      serialize(() => {
        const job = tables.jobs.get(jobId);
        if (job === undefined) return null;
        const { status, claim_id, stop_reason, reason_code, error_message } = job;
        const state = { status, claim_id, stop_reason, reason_code, error_message };
        if (stop_reason !== null || !claiming.isDeleted(tables, job)) return state;
        const { code, reason } = workspaceWasDeleted;
        return { ...state, stop_reason: reason, reason_code: code };
      }),
    skipOpen: ({ id, scheduledFor }, { code, reason, now }) =>
      serialize(() => skipLines(ledgerOf(tables, { id, scheduled_for: isoOf(scheduledFor) }), { code, reason, now })),
    takeTimes: (...asked) => serialize(() => takeTimes(tables, asked)),
    backOffChannel: (...asked) => serialize(() => backOffChannel(tables, asked)),
    extendLeases: (claimIds, until) =>
      serialize(() => {
        const kept = claimIds.flatMap((id) => tables.claims.get(id) ?? []);
        for (const claim of kept) claim.lease_until = isoOf(until);
        return new Set(kept.map((claim) => claim.id));
      }),
    record: (batch) => serialize(() => record(tables, batch)),
    openClaims: () =>
      serialize(() => [...tables.claims.values()].map(({ id, lease_until: leaseUntil }) => ({ id, leaseUntil }))),
    restoreClaims: (request) => serialize(() => restoreClaims(tables, request)),
    rescue: (request, settle) => serialize(() => rescue(tables, request, settle)),
    withoutNext: (request) => serialize(() => owned.withoutNext(tables, request)),
    schedule: (nextOccurrences) => serialize(() => schedule(tables, { nextOccurrences, newId })),
  };
}
