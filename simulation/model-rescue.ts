import { anotherRunContinues, workerStopped } from '#domain/ledger-reasons.ts';
import type { EngineStore, LostAttempt, RescueRequest } from '#engine/store.ts';
import { isOpen, ledgerOf, lineIn } from '#simulation/lines.ts';
import { enqueue } from '#simulation/model-jobs.ts';
import { closeCancelled, recordOutcomes } from '#simulation/model-record.ts';
import { type ClaimRow, isoOf, type JobRow, type Tables } from '#simulation/tables.ts';

export function rescue(
  tables: Tables,
  { claim: seen, now }: RescueRequest,
  settle: Parameters<EngineStore['rescue']>[1],
): Awaited<ReturnType<EngineStore['rescue']>> {
  const claim = tables.claims.get(seen.id);
  if (claim === undefined || claim.lease_until !== seen.leaseUntil) return null;
  const attempts = lostAttempts(tables, { claim, now });
  const outcomes = attempts.map((attempt) => ({
    job: { id: attempt.job_id, scheduled_for: attempt.scheduled_for },
    claimId: claim.id,
    delivery: attempt,
    settled: settle(attempt),
    channelId: null,
    provider: null,
    contentHash: null,
    beganAt: Temporal.Instant.from(attempt.began_at),
  }));
  recordOutcomes(tables, { outcomes, now });
  for (const id of claim.job_ids) closeCancelled(tables, { jobId: id, now });
  return { jobs: releaseJobs(tables, { claim, now }), attempts: attempts.length };
}

/** In one step, because there are few jobs. */
export function restoreClaims(
  tables: Tables,
  { after, now }: Parameters<EngineStore['restoreClaims']>[0],
): Awaited<ReturnType<EngineStore['restoreClaims']>> {
  const unlisted = [...tables.jobs.values()]
    .flatMap(({ id, claim_id: claimId }) =>
      id > after && claimId !== null && tables.claims.get(claimId)?.job_ids.includes(id) !== true
        ? [{ id, claimId }]
        : [],
    )
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const at = isoOf(now);
  for (const { id, claimId } of unlisted) {
    const claim = tables.claims.get(claimId);
    if (claim !== undefined) claim.job_ids.push(id);
    else
      tables.claims.set(claimId, {
        id: claimId,
        worker: 'unknown',
        lease_until: at,
        job_ids: [id],
        begun: [],
        created_at: at,
      });
  }
  return { jobs: unlisted.length, last: null };
}

function lostAttempts(tables: Tables, { claim, now }: { claim: ClaimRow; now: Temporal.Instant }): LostAttempt[] {
  const owned = claim.job_ids.flatMap((id) => {
    const job = tables.jobs.get(id);
    const workspace = job === undefined ? undefined : tables.workspaces.get(job.workspace_id);
    const isConcerned = job?.claim_id === claim.id || job?.status === 'cancelled';
    return job === undefined || workspace === undefined || !isConcerned ? [] : [{ job, workspace }];
  });
  return owned.flatMap(({ job, workspace }) => {
    const of = {
      job_id: job.id,
      workspace_id: job.workspace_id,
      scheduled_for: job.scheduled_for,
      expires_at: job.expires_at,
      is_cancelled: job.status === 'cancelled',
      prefers_miss: workspace.prefers_miss,
    };
    const first = claim.begun
      .filter(([, jobId, channel, recipient]) => jobId === job.id && !lineIn(tables, { job, channel, recipient }))
      .map(([id, , channel, recipient, recipient_name]) => ({
        ...of,
        id,
        channel,
        recipient,
        recipient_name,
        attempts: 1,
        unknowns: 0,
        began_at: claim.created_at,
      }));
    const later = ledgerOf(tables, job)
      .filter((row) => row.status === 'sending')
      .map(({ id, channel, recipient, recipient_name, attempts, unknowns, last_attempt_at }) => ({
        ...of,
        id,
        channel,
        recipient,
        recipient_name,
        attempts,
        unknowns,
        began_at: last_attempt_at ?? isoOf(now),
      }));
    return [...first, ...later];
  });
}

function releaseJobs(tables: Tables, { claim, now }: { claim: ClaimRow; now: Temporal.Instant }): number {
  tables.claims.delete(claim.id);
  const owned = claim.job_ids
    .flatMap((id) => tables.jobs.get(id) ?? [])
    .filter((job) => job.claim_id === claim.id && job.status === 'running');
  for (const job of owned) release(tables, { job, claim, now });
  return owned.length;
}

function release(tables: Tables, { job, claim, now }: { job: JobRow; claim: ClaimRow; now: Temporal.Instant }): void {
  const times = ledgerOf(tables, job)
    .filter(isOpen)
    .map((row) => (row.status === 'queued' ? isoOf(now) : (row.next_attempt_at ?? isoOf(now))));
  const isReported = job.run_at > claim.created_at;
  job.run_at = (isReported ? undefined : times.sort()[0]) ?? isoOf(now);
  Object.assign(job, { status: 'pending', claim_id: null, error_message: anotherRunContinues });
  enqueue(tables, job);
  tables.executions.push({
    workspace_id: job.workspace_id,
    job_id: job.id,
    status: 'failed',
    started_at: job.started_at ?? isoOf(now),
    completed_at: isoOf(now),
    duration_ms: null,
    error_message: workerStopped,
    logs: { attempt: job.attempts },
  });
}
