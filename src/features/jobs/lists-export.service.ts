import type { RecipientCounts } from '#contract/job-states.ts';
import type { JobExecution } from '#contract/executions.ts';
import type { JobSummary } from '#contract/jobs.ts';
import { type ExecutionMatches, listSearchedExecutions, searchExecutions } from '#features/jobs/executions.service.ts';
import { type JobMatches, listJobSummaries, searchJobs } from '#features/jobs/jobs.service.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { csvResponse, linesOfPages } from '#platform/csv-stream.ts';
import { AfterCommit } from '#platform/handler.ts';

const rowsAtOnce = 200;

const jobColumns = [
  'Name',
  'Job id',
  'Type',
  'Status',
  'Scheduled for (UTC)',
  'Started (UTC)',
  'Completed (UTC)',
  'Attempts',
  'Recipients',
  'Sent',
  'Problems',
  'Waiting',
  'Skipped',
  'Message',
  'Reason code',
] as const;

const executionColumns = [
  'Job',
  'Job id',
  'Type',
  'Execution id',
  'Status',
  'Started (UTC)',
  'Completed (UTC)',
  'Duration (ms)',
  'Message',
] as const;

/** The matching jobs as CSV. Every page is read in its own transaction while the file is sent; people are searched for once. */
export async function exportJobs(ctx: TenantContext, matches: JobMatches): Promise<AfterCommit<Response>> {
  const searched = await searchJobs(ctx, matches);
  await recordAct(ctx, { action: 'export.jobs', target: ctx.workspaceId });
  return new AfterCommit(async (again) => {
    const read = (cursor?: string) =>
      again((db) => listJobSummaries({ ...ctx, db }, { ...matches, ...searched, limit: rowsAtOnce, cursor }));
    return csvResponse({ name: 'jobs.csv', head: jobColumns, pages: linesOfPages(read, (job) => [jobLine(job)]) });
  });
}

/** The matching executions as CSV, read in the same way. */
export async function exportExecutions(ctx: TenantContext, matches: ExecutionMatches): Promise<AfterCommit<Response>> {
  const searched = await searchExecutions(ctx, matches);
  await recordAct(ctx, { action: 'export.executions', target: ctx.workspaceId });
  return new AfterCommit(async (again) => {
    const read = (cursor?: string) =>
      again((db) => listSearchedExecutions({ ...ctx, db }, { ...matches, ...searched, limit: rowsAtOnce, cursor }));
    const pages = linesOfPages(read, (run) => [executionLine(run)]);
    return csvResponse({ name: 'executions.csv', head: executionColumns, pages });
  });
}

function jobLine({ recipients, ...job }: JobSummary): string[] {
  const count = (of: keyof RecipientCounts) => String(recipients?.[of] ?? '');
  return [
    job.name,
    job.id,
    job.type,
    job.status,
    job.scheduled_for,
    job.started_at ?? '',
    job.completed_at ?? '',
    `${job.attempts}/${job.max_attempts}`,
    count('total'),
    count('sent'),
    count('problems'),
    count('waiting'),
    count('skipped'),
    job.error_message ?? '',
    job.reason_code ?? '',
  ];
}

const executionLine = ({ job, ...run }: JobExecution): string[] => [
  job.name,
  run.job_id,
  job.type,
  run.id,
  run.status,
  run.started_at,
  run.completed_at ?? '',
  String(run.duration_ms ?? ''),
  run.error_message ?? '',
];
