import { useMutation } from '@tanstack/react-query';
import { type ReportMailInput, reportMailRoutes } from '#contract/report-mails.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';

/** Mails the report of a job; resolves with what became of the mail to each address. */
export function useMailReport(jobId: string) {
  const workspaceId = useWorkspaceId();
  return useMutation({
    mutationFn: async (body: ReportMailInput) =>
      (await call(reportMailRoutes.mailReport, { params: { id: jobId }, body, workspaceId })).data,
  });
}
