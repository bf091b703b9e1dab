import type { Delivery, Job, JobStatus } from '#contract/jobs.ts';
import * as rows from '#features/jobs/jobs.db.ts';
import type { TenantContext } from '#platform/context.ts';
import { decodeCursor, pageOf } from '#platform/cursor.ts';
import { NotFound } from '#platform/errors.ts';

type PageQuery = { limit: number; cursor?: string };
type Window = { from?: string; to?: string };
type Archived = { archived?: 'true' | 'false' };

export async function listJobs(
  ctx: TenantContext,
  query: PageQuery & Window & Archived & { status: JobStatus | 'all'; search?: string; reminder_id?: string },
) {
  const found = await rows.findJobs(ctx.db, {
    ...query,
    workspaceId: ctx.workspaceId,
    withArchived: query.archived === 'true',
    after: decodeCursor(query.cursor),
  });
  return pageOf(found, { limit: query.limit, at: (job) => job.created_at });
}

export async function countJobs(ctx: TenantContext, { archived, ...window }: Window & Archived) {
  const filter = { workspaceId: ctx.workspaceId, withArchived: archived === 'true' };
  const isWhole = window.from === undefined && window.to === undefined;
  return isWhole ? rows.countAll(ctx.db, filter) : rows.countWithin(ctx.db, { ...window, ...filter });
}

export async function getJob(ctx: TenantContext, id: string): Promise<Job> {
  const job = await rows.findJob(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (job === undefined) throw new NotFound('job');
  return job;
}

export async function listDeliveries(ctx: TenantContext, { id, ...query }: PageQuery & { id: string }) {
  const job = await getJob(ctx, id);
  const page = { jobId: id, after: decodeCursor(query.cursor), limit: query.limit };
  // Asked for before the ledger: what gets its row in between is seen twice and not never.
  const underWay = job.status === 'running' ? await rows.findAttemptsUnderWay(ctx.db, page) : [];
  const ledger = await rows.findDeliveries(ctx.db, { ...page, workspaceId: ctx.workspaceId });
  const recorded = new Set(ledger.map((delivery) => delivery.id));
  const found = [
    ...ledger,
    ...underWay.filter((attempt) => !recorded.has(attempt.id)).map((attempt) => inLedger(attempt, job)),
  ];
  // Both halves are in this order.
  found.sort((a, b) => (a.id < b.id ? 1 : -1));
  return pageOf(
    found.map((delivery) => asSeenBy(ctx, delivery)),
    { limit: query.limit, at: (delivery) => delivery.created_at },
  );
}

/**
 * A webhook may lead to where members could not look by themselves: they see the status, and those who may configure it the
 * words as well.
 */
const asSeenBy = <D extends Pick<Delivery, 'channel' | 'provider_answer'>>({ role }: TenantContext, delivery: D): D =>
  role !== 'member' || delivery.channel !== 'webhook'
    ? delivery
    : { ...delivery, provider_answer: delivery.provider_answer?.match(/^HTTP \d{3}/)?.[0] ?? null };

/** How the ledger will have it. */
const inLedger = (
  { began_at: beganAt, ...attempt }: Awaited<ReturnType<typeof rows.findAttemptsUnderWay>>[number],
  job: Job,
) => ({
  ...attempt,
  job_id: job.id,
  status: 'sending' as const,
  attempts: 1,
  reason: null,
  channel_id: null,
  provider: null,
  provider_id: null,
  provider_answer: null,
  scheduled_for: job.scheduled_for,
  first_attempt_at: beganAt,
  last_attempt_at: beganAt,
  next_attempt_at: null,
  completed_at: null,
  created_at: beganAt,
});

export async function listExecutions(ctx: TenantContext, query: PageQuery & { job_id?: string }) {
  const found = await rows.findExecutions(ctx.db, {
    workspaceId: ctx.workspaceId,
    jobId: query.job_id,
    after: decodeCursor(query.cursor),
    limit: query.limit,
  });
  const page = pageOf(found, { limit: query.limit, at: (execution) => execution.started_at });
  return {
    ...page,
    data: page.data.map(({ name, type, workspace_id, ...row }) => ({ ...row, job: { name, type, workspace_id } })),
  };
}
