import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { adminAnalyticsRoutes } from '#contract/admin-analytics.ts';
import { adminSystemRoutes } from '#contract/admin-system.ts';
import { type Alert, alertRoutes } from '#contract/alerts.ts';
import { adminKey } from '#web/api/admin-overview.ts';
import { call } from '#web/api/client.ts';

/** How the installation runs; asked again as often as its processes write their figures. */
export const useSystemState = () =>
  useQuery({
    queryKey: adminKey('system'),
    queryFn: ({ signal }) => call(adminSystemRoutes.getSystemState, { signal }),
    refetchInterval: 15_000,
  });

/** Takes an alert from every administrator's console. */
export function useDismissAlert() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ cause, day }: Pick<Alert, 'cause' | 'day'>) =>
      call(alertRoutes.dismissAlert, { params: { cause, day } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: adminKey('system') }),
  });
}

/** The last so many days of the whole installation. */
export const useInstallationAnalytics = (days: string) =>
  useQuery({
    queryKey: adminKey('analytics', { days }),
    queryFn: ({ signal }) => call(adminAnalyticsRoutes.getInstallationAnalytics, { query: { days }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
