import { useQuery } from '@tanstack/react-query';
import { type MonthlyReportInput, monthlyReportRoutes } from '#contract/monthly-reports.ts';
import { reminderRoutes } from '#contract/reminders.ts';
import { contactGroupRoutes } from '#contract/contact-groups.ts';
import { useChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { keyOf } from '#web/api/query-key.ts';

/** Who gets monthly reports of a workspace, oldest first. */
export const useMonthlyReports = (workspaceId: string) =>
  useQuery({
    queryKey: keyOf(workspaceId, 'monthly-reports', 'list'),
    queryFn: async ({ signal }) => (await call(monthlyReportRoutes.listMonthlyReports, { workspaceId, signal })).data,
    meta: { watches: ['reminders', 'contact_groups', 'suppressions', 'members'] },
  });

export const useCreateMonthlyReport = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'monthly-reports')], (body: MonthlyReportInput) =>
    call(monthlyReportRoutes.createMonthlyReport, { body, workspaceId }),
  );

export const useUpdateMonthlyReport = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'monthly-reports')], ({ id, address }: { id: string; address: string }) =>
    call(monthlyReportRoutes.updateMonthlyReport, { params: { id }, body: { address }, workspaceId }),
  );

export const useDeleteMonthlyReport = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'monthly-reports')], (id: string) =>
    call(monthlyReportRoutes.deleteMonthlyReport, { params: { id }, workspaceId }),
  );

/** What a report can be about: the groups of the workspace, and the reminders whose name has the text, 50 at most. */
export const useReportSubjects = (workspaceId: string, { search }: { search: string }) =>
  useQuery({
    queryKey: keyOf(workspaceId, 'monthly-reports', 'subjects', { search }),
    queryFn: async ({ signal }) => {
      const [reminders, groups] = await Promise.all([
        call(reminderRoutes.listReminders, { query: { search, limit: 50, view: 'summary' }, workspaceId, signal }),
        call(contactGroupRoutes.listContactGroups, { workspaceId, signal }),
      ]);
      return { reminders: reminders.data, groups: groups.data };
    },
    placeholderData: (shown) => shown,
  });
