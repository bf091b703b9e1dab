import { get } from '#contract/route.ts';

export const metricsRoutes = {
  getMetrics: get('/api/metrics', {
    access: 'public',
    inMaintenance: true,
    summary: 'Figures of all processes for Prometheus; asks for METRICS_TOKEN as bearer, and is off without it',
    answer: 'file',
  }),
};
