import type { monthlyReportRoutes } from '#contract/monthly-reports.ts';
import * as reports from '#features/monthly-reports/monthly-reports.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const monthlyReportHandlers: HandlersOf<typeof monthlyReportRoutes> = {
  listMonthlyReports: ({ ctx }) => reports.listMonthlyReports(ctx),
  createMonthlyReport: ({ ctx, body }) => reports.createMonthlyReport(ctx, body),
  updateMonthlyReport: ({ ctx, params, body }) => reports.updateMonthlyReport(ctx, { ...params, ...body }),
  deleteMonthlyReport: ({ ctx, params }) => reports.deleteMonthlyReport(ctx, params.id),
};
