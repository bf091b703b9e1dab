import type { monthlyReportRoutes } from '#contract/monthly-reports.ts';
import * as reports from '#features/monthly-reports/monthly-reports.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const monthlyReportHandlers = (ports: reports.MonthlyReportPorts): HandlersOf<typeof monthlyReportRoutes> => ({
  listMonthlyReports: ({ ctx }) => reports.listMonthlyReports(ctx, ports),
  createMonthlyReport: ({ ctx, body }) => reports.createMonthlyReport(ctx, body, ports),
  updateMonthlyReport: ({ ctx, params, body }) => reports.updateMonthlyReport(ctx, { ...params, ...body }, ports),
  deleteMonthlyReport: ({ ctx, params }) => reports.deleteMonthlyReport(ctx, params.id),
});
