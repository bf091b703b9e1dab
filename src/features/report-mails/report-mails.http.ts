import type { reportMailRoutes } from '#contract/report-mails.ts';
import { mailReport, type ReportMailPorts } from '#features/report-mails/report-mail.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const reportMailHandlers = (ports: ReportMailPorts): HandlersOf<typeof reportMailRoutes> => ({
  mailReport: ({ ctx, params, body }) => mailReport(ctx, { ...params, ...body }, ports),
});
