import type { JobStatus, PeopleCounts } from '#contract/job-states.ts';
import type { ArchivedFilter, CountedJob, Job, JobSort, TestsFilter } from '#contract/jobs.ts';
import * as rows from '#features/jobs/jobs.db.ts';
import { countOfJob, countOfJobs, type RunCounts } from '#features/jobs/recipient-counts.db.ts';
import { findJobsTo } from '#features/jobs/recipient-search.service.ts';
import type { TenantContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { NotFound } from '#platform/errors.ts';
import { type Listed, pageOf } from '#platform/page.ts';
import { searchedText } from '#platform/pattern.ts';

type PageQuery = { limit: number; cursor?: string; sort?: JobSort };
type Window = { from?: string; to?: string };
type Archived = { archived: ArchivedFilter };

export type JobMatches = Window &
  Archived & { status: JobStatus | 'all'; search?: string; reminder_id?: string; tests?: TestsFilter };

/** The results of a search: the jobs that it has found by their recipients, and by their names where these are few. */
type Searched = { searched?: readonly string[]; named?: readonly string[] | null };

const fewNamed = 1_000;

export async function listJobs(
  ctx: TenantContext,
  { view, ...matches }: PageQuery & JobMatches & { view?: 'summary' },
) {
  const query = { ...matches, ...(await searchJobs(ctx, matches)) };
  return view === 'summary' ? listJobSummaries(ctx, query) : listWholeJobs(ctx, query);
}

/** The jobs that a search finds by their recipients, past or future, and by name unless they are many. */
export async function searchJobs(ctx: TenantContext, { search = '', from, to }: JobMatches): Promise<Searched> {
  if (search === '') return {};
  const { db, workspaceId } = ctx;
  const text = searchedText(search);
  const named = text === null ? null : await rows.findFewNamed(db, { workspaceId, text, most: fewNamed });
  return { named, searched: await findJobsTo(ctx, search, { from, to }) };
}

export async function listJobSummaries(ctx: TenantContext, query: PageQuery & JobMatches & Searched) {
  return pageOf(await countedPage(ctx, await rows.findJobSummaries(ctx.db, filterOf(ctx, query))), sortedBy(query));
}

async function listWholeJobs(ctx: TenantContext, query: PageQuery & JobMatches & Searched) {
  return pageOf(await countedPage(ctx, await rows.findJobs(ctx.db, filterOf(ctx, query))), sortedBy(query));
}

const filterOf = ({ workspaceId }: TenantContext, query: PageQuery & JobMatches & Searched) => ({
  ...query,
  workspaceId,
  after: decodeCursor(query.cursor),
});

const sortedBy = ({ sort }: PageQuery) => ({
  at: (job: { created_at: string; scheduled_for: string }) => (sort === 'soonest' ? job.scheduled_for : job.created_at),
});

type Countable = Pick<Job, 'id' | 'status' | 'scheduled_for'>;

export const countedPage = async <Row extends Countable>(ctx: TenantContext, page: Listed<Row>) => ({
  ...page,
  rows: await withCounts(ctx, page.rows),
});

/** Adds the counts of their messages and people to jobs of a list. */
export async function withCounts<Row extends Countable>(
  { db, workspaceId }: TenantContext,
  jobs: readonly Row[],
): Promise<(Row & RunCounts)[]> {
  const counts = await countOfJobs(db, { workspaceId, jobs });
  return jobs.map((job) => ({ ...job, ...(counts.get(job.id) ?? notCounted) }));
}

/** The people of a job, however many messages it has. */
export const peopleOf = async ({ db, workspaceId }: TenantContext, job: Countable): Promise<PeopleCounts> =>
  (await countOfJob(db, { workspaceId, job })).people;

/** Of a job that is not counted in lists. */
export const notCounted: RunCounts = { recipients: null, people: null };

export async function countJobs(
  ctx: TenantContext,
  { archived, tests, ...window }: Window & Archived & { tests: TestsFilter },
) {
  const filter = { workspaceId: ctx.workspaceId, archived, tests };
  const isWhole = window.from === undefined && window.to === undefined;
  return isWhole ? rows.countAll(ctx.db, filter) : rows.countWithin(ctx.db, { ...window, ...filter });
}

/** Which of these jobs have ended, or are deleted. */
export async function findEnded(
  db: Db,
  { workspaceId, jobIds }: { workspaceId: string; jobIds: readonly string[] },
): Promise<string[]> {
  const open = new Set((await rows.findOpenJobs(db, { workspaceId, ids: jobIds })).map(({ id }) => id));
  return jobIds.filter((id) => !open.has(id));
}

/** A job by its id. Throws NotFound. */
export async function getJob(ctx: TenantContext, id: string): Promise<Job> {
  const job = await rows.findJob(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (job === undefined) throw new NotFound('job');
  return job;
}

/** A job with the exact counts of its messages and people. */
export async function showJob(ctx: TenantContext, id: string): Promise<CountedJob> {
  const job = await getJob(ctx, id);
  return { ...job, ...(await countOfJob(ctx.db, { workspaceId: ctx.workspaceId, job })) };
}

/** A job with the revision of the reminder that it was created from. */
export async function getJobWithRevision({ db, workspaceId }: TenantContext, id: string) {
  const job = await rows.findJobWithRevision(db, { workspaceId, id });
  if (job === undefined) throw new NotFound('job');
  return job;
}
