import type { DeliveryWithTimeline, Job, JobExecution, JobStatus } from '#contract/jobs.ts';
import { timelineOf } from '#domain/timeline.ts';
import * as rows from '#features/jobs/jobs.db.ts';
import { PastRows } from '#features/jobs/past.ts';
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

/** With the revision of its reminder that it was made from. */
export async function getJobWithRevision({ db, workspaceId }: TenantContext, id: string) {
  const job = await rows.findJobWithRevision(db, { workspaceId, id });
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
    found.map((row) => ({ ...asSeenBy(ctx, withTimeline(row)), created_at: row.created_at })),
    { limit: query.limit, at: (delivery) => delivery.created_at },
  );
}

type LedgerRow = Awaited<ReturnType<typeof rows.findDeliveries>>[number];

function withTimeline({ past, answered_at, content_hash: _, created_at: __, ...row }: LedgerRow): DeliveryWithTimeline {
  return { ...row, timeline: timelineOf({ ...row, answered_at }, PastRows.parse(past)) };
}

/**
 * A webhook may lead to where members could not look by themselves: they see the status, and those who may configure it the
 * words as well.
 */
function asSeenBy({ role }: TenantContext, delivery: DeliveryWithTimeline): DeliveryWithTimeline {
  if (role !== 'member' || delivery.channel !== 'webhook') return delivery;
  const timeline = delivery.timeline.map((event) => {
    if (event.kind === 'attempt') return { ...event, provider_answer: statusIn(event.provider_answer) };
    return event.kind === 'report' ? { ...event, words: statusIn(event.words) } : event;
  });
  return { ...delivery, provider_answer: statusIn(delivery.provider_answer), timeline };
}

const statusIn = (answer: string | null) => answer?.match(/^HTTP \d{3}/)?.[0] ?? null;

/** How the ledger will have it. */
const inLedger = (
  { began_at: beganAt, ...attempt }: Awaited<ReturnType<typeof rows.findAttemptsUnderWay>>[number],
  job: Job,
): LedgerRow => ({
  ...attempt,
  job_id: job.id,
  status: 'sending',
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
  answered_at: null,
  past: null,
  content_hash: null,
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
  return { ...page, data: page.data.map(asExecution) };
}

export async function getExecution({ db, workspaceId }: TenantContext, id: string): Promise<JobExecution> {
  const found = await rows.findExecution(db, { workspaceId, id });
  if (found === undefined) throw new NotFound('job execution');
  return asExecution(found);
}

type ExecutionRow = Awaited<ReturnType<typeof rows.findExecutions>>[number];

const asExecution = ({ name, type, workspace_id, ...row }: ExecutionRow): JobExecution => ({
  ...row,
  job: { name, type, workspace_id },
});
