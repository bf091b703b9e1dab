import { route } from '#contract/route.ts';

export const metricsRoutes = {
  getMetrics: route({
    method: 'get',
    path: '/api/metrics',
    access: 'public',
    inMaintenance: true,
    summary: 'Figures of all processes for Prometheus; asks for METRICS_TOKEN as bearer, and is off without it',
    answer: 'file',
  }),
};
