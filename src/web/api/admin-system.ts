import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { adminAnalyticsRoutes } from '#contract/admin-analytics.ts';
import { adminSystemRoutes } from '#contract/admin-system.ts';
import { type Alert, alertRoutes } from '#contract/alerts.ts';
import { adminKey } from '#web/api/admin-overview.ts';
import { useChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';

/** The state of the installation, fetched again as often as its processes write their figures. */
export const useSystemState = () =>
  useQuery({
    queryKey: adminKey('system'),
    queryFn: ({ signal }) => call(adminSystemRoutes.getSystemState, { signal }),
    refetchInterval: 15_000,
  });

/** Removes an alert from every administrator's console. */
export const useDismissAlert = () =>
  useChange([adminKey('system')], ({ cause, day }: Pick<Alert, 'cause' | 'day'>) =>
    call(alertRoutes.dismissAlert, { params: { cause, day } }),
  );

/** The figures of the whole installation over this many days, until today. */
export const useInstallationAnalytics = (days: string) =>
  useQuery({
    queryKey: adminKey('analytics', { days }),
    queryFn: ({ signal }) => call(adminAnalyticsRoutes.getInstallationAnalytics, { query: { days }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
