import type { JobExecution } from '#contract/executions.ts';
import * as rows from '#features/jobs/executions.db.ts';
import { findJobsOfRuns } from '#features/jobs/recipient-search.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { NotFound } from '#platform/errors.ts';
import { pageOf } from '#platform/page.ts';

type PageQuery = { limit: number; cursor?: string };

export type ExecutionMatches = Omit<rows.ExecutionFilter, 'jobId' | 'jobIds' | 'reminderId'> & {
  job_id?: string;
  reminder_id?: string;
  search?: string;
};

/** The jobs that a search of executions finds. */
export async function searchExecutions(
  ctx: TenantContext,
  { search = '', to }: ExecutionMatches,
): Promise<Pick<rows.ExecutionFilter, 'jobIds'>> {
  return search.trim() === '' ? {} : { jobIds: await findJobsOfRuns(ctx, search.trim(), { to }) };
}

export const listExecutions = async (ctx: TenantContext, query: PageQuery & ExecutionMatches) =>
  listSearchedExecutions(ctx, { ...query, ...(await searchExecutions(ctx, query)) });

/** The matching executions of the jobs that the search found. */
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
  const { workspaceId, now } = ctx;
  const filter = { ...query, jobId, reminderId, workspaceId, now, after: decodeCursor(cursor) };
  const found = await rows.findExecutions(ctx.db, filter);
  const page = pageOf(found, { at: (execution) => execution.listed_at });
  return { ...page, data: page.data.map(asExecution) };
}

export async function getExecution({ db, workspaceId }: TenantContext, id: string): Promise<JobExecution> {
  const found = await rows.findExecution(db, { workspaceId, id });
  if (found === undefined) throw new NotFound('job execution');
  return asExecution(found);
}

type ExecutionRow = Awaited<ReturnType<typeof rows.findExecutions>>['rows'][number];

const asExecution = ({ name, type, workspace_id, listed_at: _, ...row }: ExecutionRow): JobExecution => ({
  ...row,
  job: { name, type, workspace_id },
});
