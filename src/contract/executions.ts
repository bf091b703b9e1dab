import { z } from 'zod';
import { Id, InstantInput, InstantText, Page, PageQuery, Text } from '#contract/common.ts';
import { executionStatuses } from '#contract/job-states.ts';
import { jobTypes } from '#contract/job-types.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { get } from '#contract/route.ts';

const executionStatus = z.enum(executionStatuses);

export const JobExecution = z.object({
  id: Id,
  job_id: Id,
  status: executionStatus,
  started_at: InstantText,
  completed_at: InstantText.nullable(),
  duration_ms: z.number().int().nullable(),
  error_message: z.string().nullable(),
  logs: z.record(z.string(), z.unknown()),
  job: z.object({ name: z.string(), type: z.enum(jobTypes), workspace_id: Id }),
});
export type JobExecution = z.output<typeof JobExecution>;

const ExecutionMatches = {
  job_id: Id.optional(),
  reminder_id: Id.optional(),
  status: executionStatus.optional(),
  /** Only executions of jobs that sent over this channel. */
  channel: z.enum(channelTypes).optional(),
  /** Only executions that started in [from, to). */
  from: InstantInput.optional(),
  to: InstantInput.optional(),
  /**
   * Only executions of jobs that a search for this text finds, as in the list of jobs. Where many jobs have it in their name, only the latest are
   * searched.
   */
  search: Text(200).optional(),
};

export const executionRoutes = {
  listJobExecutions: get('/api/job-executions', {
    access: 'member',
    summary: 'List the executions of jobs, newest first, to the minute',
    query: PageQuery.extend(ExecutionMatches),
    answer: Page(JobExecution),
  }),
  exportJobExecutions: get('/api/job-executions/export', {
    access: 'member',
    summary: 'The executions that match a filter as CSV, newest first, to the minute',
    query: z.strictObject({ ...ExecutionMatches, workspace: Id.optional() }),
    answer: 'file',
  }),
  getJobExecution: get('/api/job-executions/:id', {
    access: 'member',
    summary: 'Get an execution',
    answer: JobExecution,
  }),
};
