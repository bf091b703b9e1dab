import type { jobRoutes } from '#contract/jobs.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import * as jobs from '#features/jobs/jobs.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const jobHandlers: HandlersOf<typeof jobRoutes> = {
  listJobs: ({ ctx, query }) => jobs.listJobs(ctx, query),
  countJobs: ({ ctx, query }) => jobs.countJobs(ctx, query),
  getJob: ({ ctx, params }) => jobs.getJob(ctx, params.id),
  listDeliveries: ({ ctx, params, query }) => jobs.listDeliveries(ctx, { id: params.id, ...query }),
  pauseJob: ({ ctx, params }) => actOnJob(ctx, { id: params.id, action: 'pause' }),
  resumeJob: ({ ctx, params }) => actOnJob(ctx, { id: params.id, action: 'resume' }),
  retryJob: ({ ctx, params }) => actOnJob(ctx, { id: params.id, action: 'retry' }),
  cancelJob: ({ ctx, params }) => actOnJob(ctx, { id: params.id, action: 'cancel' }),
  listJobExecutions: ({ ctx, query }) => jobs.listExecutions(ctx, query),
};
