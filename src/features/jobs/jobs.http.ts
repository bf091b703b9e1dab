import type { deliveryRoutes } from '#contract/deliveries.ts';
import type { executionRoutes } from '#contract/executions.ts';
import type { jobRoutes } from '#contract/jobs.ts';
import type { Renderer } from '#domain/rendering.ts';
import type { RoutePorts } from '#features/channels/route.service.ts';
import { answerJob, type WaitPorts } from '#features/jobs/job-answer.service.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { listDeliveries } from '#features/jobs/deliveries.service.ts';
import { getExecution, listExecutions } from '#features/jobs/executions.service.ts';
import { exportDeliveries } from '#features/jobs/export.service.ts';
import { exportLedger } from '#features/jobs/ledger-export.service.ts';
import { exportExecutions, exportJobs } from '#features/jobs/lists-export.service.ts';
import * as jobs from '#features/jobs/jobs.service.ts';
import { listRuns } from '#features/jobs/runs.service.ts';
import { showMessage } from '#features/jobs/message.service.ts';
import { exportReport, readReport } from '#features/jobs/report.service.ts';
import { reachOfJob } from '#features/jobs/job-reach.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const jobHandlers = (
  ports: RoutePorts & WaitPorts & { renderer: Renderer },
): HandlersOf<typeof jobRoutes & typeof deliveryRoutes & typeof executionRoutes> => ({
  listJobs: ({ ctx, query }) => jobs.listJobs(ctx, query),
  countJobs: ({ ctx, query }) => jobs.countJobs(ctx, query),
  exportJobs: ({ ctx, query: { workspace: _, ...matches } }) => exportJobs(ctx, matches),
  exportJobExecutions: ({ ctx, query: { workspace: _, ...matches } }) => exportExecutions(ctx, matches),
  getJob: ({ ctx, params, query, request }) => answerJob(ctx, { id: params.id, ...query, request }, ports),
  listDeliveries: ({ ctx, params, query }) => listDeliveries(ctx, { id: params.id, ...query }),
  listReminderRuns: ({ ctx, params, query }) => listRuns(ctx, { id: params.id, ...query }),
  exportDeliveries: ({ ctx, params }) => exportDeliveries(ctx, params.id),
  exportLedger: ({ ctx, query: { workspace: _, ...matches } }) => exportLedger(ctx, matches),
  getReport: ({ ctx, params, query }) => readReport(ctx, { ...params, ...query }, ports),
  exportReport: ({ ctx, params, query: { workspace: _, ...person } }) =>
    exportReport(ctx, { ...params, ...person }, ports),
  getJobReach: ({ ctx, params, query }) => reachOfJob(ctx, { id: params.id, query }, ports),
  getMessage: ({ ctx, params, query }) => showMessage(ctx, { ...params, ...query }, ports),
  pauseJob: ({ ctx, params }) => actOnJob(ctx, { id: params.id, action: 'pause' }),
  resumeJob: ({ ctx, params }) => actOnJob(ctx, { id: params.id, action: 'resume' }),
  retryJob: ({ ctx, params }) => actOnJob(ctx, { id: params.id, action: 'retry' }),
  cancelJob: ({ ctx, params }) => actOnJob(ctx, { id: params.id, action: 'cancel' }),
  listJobExecutions: ({ ctx, query }) => listExecutions(ctx, query),
  getJobExecution: ({ ctx, params }) => getExecution(ctx, params.id),
});
