import type { PeopleCounts, RecipientCounts } from '#contract/job-states.ts';
import type { JobExecution } from '#contract/executions.ts';
import type { JobSummary } from '#contract/jobs.ts';
import { isPartlySent, unreachedTexts } from '#domain/run-outcome.ts';
import { type ExecutionMatches, listSearchedExecutions, searchExecutions } from '#features/jobs/executions.service.ts';
import { type JobMatches, listJobSummaries, searchJobs } from '#features/jobs/jobs.service.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { type CsvColumns, csvOfPages, csvResponse } from '#platform/csv-stream.ts';
import { AfterCommit } from '#platform/handler.ts';

const rowsAtOnce = 200;

const counted =
  (of: keyof RecipientCounts) =>
  ({ recipients }: JobSummary) =>
    recipients?.[of] ?? null;

const countedPeople =
  (of: Exclude<keyof PeopleCounts, 'unreached'>) =>
  ({ people }: JobSummary) =>
    people?.[of] ?? null;

const jobColumns: CsvColumns<JobSummary> = {
  Name: (job) => job.name,
  'Job id': (job) => job.id,
  Type: (job) => job.type,
  Status: (job) => job.status,
  'Scheduled for (UTC)': (job) => job.scheduled_for,
  'Started (UTC)': (job) => job.started_at,
  'Completed (UTC)': (job) => job.completed_at,
  Attempts: (job) => `${job.attempts}/${job.max_attempts}`,
  Recipients: counted('total'),
  Sent: counted('sent'),
  Failed: counted('problems'),
  Waiting: counted('waiting'),
  Skipped: counted('skipped'),
  Message: (job) => job.error_message,
  'Reason code': (job) => job.reason_code,
  People: countedPeople('total'),
  Reached: countedPeople('reached'),
  'People failed': countedPeople('failed'),
  'People skipped': countedPeople('skipped'),
  'People left out': countedPeople('excluded'),
  'People waiting': countedPeople('waiting'),
  'Not reached': ({ people }) => people && unreachedTexts(people).join('; '),
  Outcome: (job) => (isPartlySent(job) ? 'partly sent' : job.status),
};

const executionColumns: CsvColumns<JobExecution> = {
  Job: ({ job }) => job.name,
  'Job id': (run) => run.job_id,
  Type: ({ job }) => job.type,
  'Execution id': (run) => run.id,
  Status: (run) => run.status,
  'Started (UTC)': (run) => run.started_at,
  'Completed (UTC)': (run) => run.completed_at,
  'Duration (ms)': (run) => run.duration_ms,
  Message: (run) => run.error_message,
};

/** The matching jobs as CSV. Every page is read in its own transaction while the file is sent; people are searched for once. */
export async function exportJobs(ctx: TenantContext, matches: JobMatches): Promise<AfterCommit<Response>> {
  const searched = await searchJobs(ctx, matches);
  await recordAct(ctx, { action: 'export.jobs', target: ctx.workspaceId });
  return new AfterCommit(async (again) => {
    const read = (cursor?: string) =>
      again((db) => listJobSummaries({ ...ctx, db }, { ...matches, ...searched, limit: rowsAtOnce, cursor }));
    return csvResponse({ name: 'jobs.csv', ...csvOfPages(jobColumns, read) });
  });
}

/** The matching executions as CSV, read in the same way. */
export async function exportExecutions(ctx: TenantContext, matches: ExecutionMatches): Promise<AfterCommit<Response>> {
  const searched = await searchExecutions(ctx, matches);
  await recordAct(ctx, { action: 'export.executions', target: ctx.workspaceId });
  return new AfterCommit(async (again) => {
    const read = (cursor?: string) =>
      again((db) => listSearchedExecutions({ ...ctx, db }, { ...matches, ...searched, limit: rowsAtOnce, cursor }));
    return csvResponse({ name: 'executions.csv', ...csvOfPages(executionColumns, read) });
  });
}
