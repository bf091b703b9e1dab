import { z } from 'zod';
import { Id, InstantText, Page, PageQuery, Text } from '#contract/common.ts';
import { executionStatuses } from '#contract/job-states.ts';
import { jobTypes } from '#contract/job-types.ts';
import { get } from '#contract/route.ts';

/** How many executions the console shows, and how many lines of the log are kept. */
export const adminLogLimits = { executions: 20, lines: 20_000 } as const;

/** A run of a job, in whichever workspace. */
export const AdminExecution = z.object({
  id: Id,
  workspace_id: Id,
  workspace: z.string(),
  job_id: Id,
  job: z.string(),
  type: z.enum(jobTypes),
  status: z.enum(executionStatuses),
  /** Whether it failed after it had reached somebody. */
  is_partly_sent: z.boolean(),
  /** Whether it failed without an attempt, because it had nobody to send to: its job is cancelled. */
  is_cancelled: z.boolean(),
  started_at: InstantText,
  duration_ms: z.number().int().nullable(),
  /** Null without an error, and in workspaces that the reader does not administer: what a provider answers may name a recipient. */
  error_message: z.string().nullable(),
});
export type AdminExecution = z.output<typeof AdminExecution>;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A line of the log of a process. */
export const LogEntry = z.object({
  id: z.string(),
  created_at: InstantText,
  level: z.enum(logLevels),
  /** The process's role, number and machine: `worker 4711 on mail-2`. */
  process: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
});
export type LogEntry = z.output<typeof LogEntry>;

export const adminLogRoutes = {
  listLatestExecutions: get('/api/admin/executions', {
    access: 'user',
    summary:
      'The latest 20 executions: of the installation for its administrators, else of the workspaces that one administers',
    isCostly: true,
    answer: z.object({ data: z.array(AdminExecution) }),
  }),
  listLogEntries: get('/api/admin/log', {
    access: 'system_admin',
    summary: 'The newest 20,000 lines of the log of every process, newest first; the search is in all of their text',
    query: PageQuery.extend({
      search: Text(200).optional(),
      /** The lowest level that is listed; graver lines are listed too. */
      level: z.enum(logLevels).optional(),
    }),
    answer: Page(LogEntry),
  }),
};
