import { z } from 'zod';
import type { JobStatus } from '#contract/job-states.ts';
import type {
  ArchivedFilter,
  CountedJob,
  DeliveryWithTimeline,
  Job,
  JobExecution,
  RecipientGroup,
  TestsFilter,
} from '#contract/jobs.ts';
import type { ChannelType } from '#contract/reminders.ts';
import { rankOf } from '#domain/recipient-groups.ts';
import { timelineOf } from '#domain/timeline.ts';
import * as rows from '#features/jobs/jobs.db.ts';
import { AttemptHistory } from '#features/jobs/attempt-history.ts';
import { countOfJob, countOfJobs } from '#features/jobs/recipient-counts.db.ts';
import { findJobsOfRuns, findJobsTo } from '#features/jobs/recipient-search.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { NotFound } from '#platform/errors.ts';
import { type Listed, pageOf } from '#platform/page.ts';

type PageQuery = { limit: number; cursor?: string };
type Window = { from?: string; to?: string };
type Archived = { archived: ArchivedFilter };

export type JobMatches = Window &
  Archived & { status: JobStatus | 'all'; search?: string; reminder_id?: string; tests?: TestsFilter };

/** Matches whose search was carried out: the jobs that it finds by a person. */
type Searched = { searched?: readonly string[] };

export async function listJobs(
  ctx: TenantContext,
  { view, ...matches }: PageQuery & JobMatches & { view?: 'summary' },
) {
  const query = { ...matches, ...(await searchJobs(ctx, matches)) };
  return view === 'summary' ? listJobSummaries(ctx, query) : listWholeJobs(ctx, query);
}

/** The jobs that a search finds by a person to whom they go or went; those that it finds by name are not among them. */
export async function searchJobs(ctx: TenantContext, { search = '', from, to }: JobMatches): Promise<Searched> {
  return search === '' ? {} : { searched: await findJobsTo(ctx, search, { from, to }) };
}

export async function listJobSummaries(ctx: TenantContext, query: PageQuery & JobMatches & Searched) {
  return pageOf(await countedPage(ctx, await rows.findJobSummaries(ctx.db, filterOf(ctx, query))), { at: createdAt });
}

async function listWholeJobs(ctx: TenantContext, query: PageQuery & JobMatches & Searched) {
  return pageOf(await countedPage(ctx, await rows.findJobs(ctx.db, filterOf(ctx, query))), { at: createdAt });
}

const filterOf = ({ workspaceId }: TenantContext, query: PageQuery & JobMatches & Searched) => ({
  ...query,
  workspaceId,
  after: decodeCursor(query.cursor),
});

const createdAt = (job: { created_at: string }) => job.created_at;

type Countable = Pick<Job, 'id' | 'status' | 'scheduled_for'>;

export const countedPage = async <Row extends Countable>(ctx: TenantContext, page: Listed<Row>) => ({
  ...page,
  rows: await withCounts(ctx, page.rows),
});

/** Adds the counts of their recipients to jobs of a list. */
export async function withCounts<Row extends Countable>(
  { db, workspaceId }: TenantContext,
  jobs: readonly Row[],
): Promise<(Row & Pick<CountedJob, 'recipients'>)[]> {
  const counts = await countOfJobs(db, { workspaceId, jobs });
  return jobs.map((job) => ({ ...job, recipients: counts.get(job.id) ?? null }));
}

export async function countJobs(
  ctx: TenantContext,
  { archived, tests, ...window }: Window & Archived & { tests: TestsFilter },
) {
  const filter = { workspaceId: ctx.workspaceId, archived, tests };
  const isWhole = window.from === undefined && window.to === undefined;
  return isWhole ? rows.countAll(ctx.db, filter) : rows.countWithin(ctx.db, { ...window, ...filter });
}

/** Throws NotFound. */
export async function getJob(ctx: TenantContext, id: string): Promise<Job> {
  const job = await rows.findJob(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (job === undefined) throw new NotFound('job');
  return job;
}

/** A job with the exact counts of its recipients. */
export async function showJob(ctx: TenantContext, id: string): Promise<CountedJob> {
  const job = await getJob(ctx, id);
  return { ...job, recipients: await countOfJob(ctx.db, { workspaceId: ctx.workspaceId, job }) };
}

/** A job with the revision of the reminder that it was created from. */
export async function getJobWithRevision({ db, workspaceId }: TenantContext, id: string) {
  const job = await rows.findJobWithRevision(db, { workspaceId, id });
  if (job === undefined) throw new NotFound('job');
  return job;
}

type LedgerQuery = PageQuery & { group?: RecipientGroup; search?: string; order?: 'newest' | 'problems_first' };

export async function listDeliveries(ctx: TenantContext, { id, cursor, ...query }: LedgerQuery & { id: string }) {
  const job = await getJob(ctx, id);
  const isRanked = query.order === 'problems_first';
  const page = { ...query, jobId: id, after: decodeCursor(cursor, isRanked ? CursorRank : undefined) };
  // Read before the ledger: a delivery that is inserted in between then appears twice instead of never.
  const running = job.status === 'running' ? await rows.findRunningAttempts(ctx.db, page) : [];
  const ledger = await rows.findDeliveries(ctx.db, { ...page, workspaceId: ctx.workspaceId });
  const recorded = new Set(ledger.rows.map((delivery) => delivery.id));
  const found = [
    ...ledger.rows,
    ...running.filter((attempt) => !recorded.has(attempt.id)).map((attempt) => inLedger(attempt, job)),
  ];
  // Both lists are in this order.
  found.sort((a, b) => (isRanked ? rankOf(a.status) - rankOf(b.status) : 0) || (a.id < b.id ? 1 : -1));
  // When the page of the ledger ends early, later rows belong to the next page.
  const end = ledger.isMore ? found.findIndex(({ id: each }) => each === ledger.rows.at(-1)?.id) + 1 : found.length;
  const lines = found.slice(0, Math.min(end, query.limit));
  return pageOf(
    {
      rows: lines.map((row) => ({ ...asSeenBy(ctx, withTimeline(row)), created_at: row.created_at })),
      isMore: ledger.isMore || lines.length < found.length,
    },
    { at: (delivery) => (isRanked ? String(rankOf(delivery.status)) : delivery.created_at) },
  );
}

const CursorRank = z.string().regex(/^[0-3]$/);

/** What was sent to a person, newest first. */
export async function listDeliveriesToPerson(
  ctx: TenantContext,
  { cursor, ...query }: PageQuery & rows.Addressee & { channel?: ChannelType },
) {
  const found = await rows.findDeliveriesToPerson(ctx.db, {
    ...query,
    workspaceId: ctx.workspaceId,
    after: decodeCursor(cursor),
  });
  const lines = found.rows.map(({ job_name: name, job_type: type, reminder_id, ...row }) => ({
    ...asSeenBy(ctx, withTimeline(row)),
    job: { name, type, reminder_id },
    created_at: row.created_at,
  }));
  return pageOf({ rows: lines, isMore: found.isMore }, { at: (delivery) => delivery.created_at });
}

type LedgerRow = Awaited<ReturnType<typeof rows.findDeliveries>>['rows'][number];

function withTimeline({
  attempt_history: history,
  answered_at,
  content_hash: _,
  created_at: __,
  ...row
}: LedgerRow): DeliveryWithTimeline {
  return { ...row, timeline: timelineOf({ ...row, answered_at }, AttemptHistory.parse(history)) };
}

/** A webhook's answer may come from an internal address: members see its status, and admins its text as well. */
function asSeenBy({ role }: TenantContext, delivery: DeliveryWithTimeline): DeliveryWithTimeline {
  if (role !== 'member' || delivery.channel !== 'webhook') return delivery;
  const timeline = delivery.timeline.map((event) => {
    if (event.kind === 'attempt') return { ...event, provider_answer: statusIn(event.provider_answer) };
    return event.kind === 'report' ? { ...event, words: statusIn(event.words) } : event;
  });
  return { ...delivery, provider_answer: statusIn(delivery.provider_answer), timeline };
}

const statusIn = (answer: string | null) => answer?.match(/^HTTP \d{3}/)?.[0] ?? null;

/** The delivery as the ledger will store it. */
const inLedger = (
  { began_at: beganAt, ...attempt }: Awaited<ReturnType<typeof rows.findRunningAttempts>>[number],
  job: Job,
): LedgerRow => ({
  ...attempt,
  contact_id: null,
  through: null,
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
  attempt_history: null,
  content_hash: null,
  created_at: beganAt,
});

export type ExecutionMatches = Omit<rows.ExecutionFilter, 'jobId' | 'jobIds' | 'reminderId'> & {
  job_id?: string;
  reminder_id?: string;
  search?: string;
};

/** The jobs whose executions a search finds. */
export async function searchExecutions(
  ctx: TenantContext,
  { search = '', to }: ExecutionMatches,
): Promise<Pick<rows.ExecutionFilter, 'jobIds'>> {
  return search.trim() === '' ? {} : { jobIds: await findJobsOfRuns(ctx, search.trim(), { to }) };
}

export const listExecutions = async (ctx: TenantContext, query: PageQuery & ExecutionMatches) =>
  listSearchedExecutions(ctx, { ...query, ...(await searchExecutions(ctx, query)) });

/** The executions that match, of the jobs that the search found. */
export async function listSearchedExecutions(
  ctx: TenantContext,
  {
    job_id: jobId,
    reminder_id: reminderId,
    cursor,
    search: _,
    ...query
  }: PageQuery & ExecutionMatches & Pick<rows.ExecutionFilter, 'jobIds'>,
) {
  const filter = { ...query, jobId, reminderId, workspaceId: ctx.workspaceId, after: decodeCursor(cursor) };
  const found = await rows.findExecutions(ctx.db, filter);
  const page = pageOf(found, { at: (execution) => execution.started_at });
  return { ...page, data: page.data.map(asExecution) };
}

export async function getExecution({ db, workspaceId }: TenantContext, id: string): Promise<JobExecution> {
  const found = await rows.findExecution(db, { workspaceId, id });
  if (found === undefined) throw new NotFound('job execution');
  return asExecution(found);
}

type ExecutionRow = Awaited<ReturnType<typeof rows.findExecutions>>['rows'][number];

const asExecution = ({ name, type, workspace_id, ...row }: ExecutionRow): JobExecution => ({
  ...row,
  job: { name, type, workspace_id },
});
