import type { reportMailRoutes } from '#contract/report-mails.ts';
import type { monthlyReportRoutes } from '#contract/monthly-reports.ts';
import { mailReport, type ReportMailPorts } from '#features/report-mails/report-mail.service.ts';
import * as reports from '#features/report-mails/monthly-reports.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const reportMailHandlers = (
  ports: ReportMailPorts,
): HandlersOf<typeof reportMailRoutes & typeof monthlyReportRoutes> => ({
  listMonthlyReports: ({ ctx }) => reports.listMonthlyReports(ctx),
  createMonthlyReport: ({ ctx, body }) => reports.createMonthlyReport(ctx, body),
  updateMonthlyReport: ({ ctx, params, body }) => reports.updateMonthlyReport(ctx, { ...params, ...body }),
  deleteMonthlyReport: ({ ctx, params }) => reports.deleteMonthlyReport(ctx, params.id),
  mailReport: ({ ctx, params, body }) => mailReport(ctx, { ...params, ...body }, ports),
});
