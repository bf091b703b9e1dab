import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { adminBackupRoutes } from '#contract/admin-backups.ts';
import { adminSettingsRoutes, type SettingsChange } from '#contract/admin-settings.ts';
import { reauthenticationRoutes } from '#contract/reauthentication.ts';
import { adminKey } from '#web/api/admin-overview.ts';
import { ApiError, call, callOnce, withReauthentication } from '#web/api/client.ts';

/** What the operator has set in the environment; for administrators of the installation. */
export const useOperatorVariables = ({ isAsked }: { isAsked: boolean }) =>
  useQuery({
    queryKey: adminKey('operator-variables'),
    queryFn: isAsked
      ? async ({ signal }) => (await call(adminSettingsRoutes.listOperatorVariables, { signal })).data
      : skipToken,
  });

/** The switches of the installation. */
export const useInstallationSettings = () =>
  useQuery({
    queryKey: adminKey('settings'),
    queryFn: ({ signal }) => call(adminSettingsRoutes.getInstallationSettings, { signal }),
  });

export function useChangeInstallationSettings() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SettingsChange) => call(adminSettingsRoutes.updateInstallationSettings, { body }),
    onSuccess: async (settings) => {
      queryClient.setQueryData(adminKey('settings'), settings);
      // Changes when the next backup is due, and whether administrators need a second factor. Answers that are on their way are outdated.
      for (const queryKey of [adminKey('backups'), ['two-factor']]) {
        await queryClient.cancelQueries({ queryKey });
        void queryClient.invalidateQueries({ queryKey });
      }
    },
  });
}

export const useBackups = () =>
  useQuery({
    queryKey: adminKey('backups'),
    queryFn: ({ signal }) => call(adminBackupRoutes.listBackups, { signal }),
    refetchInterval: 60_000,
  });

/** Asks the person who they are before the browser loads the file, because the browser cannot. */
export const downloadBackup = (name: string): Promise<void> =>
  withReauthentication(async () => {
    const { method, reauthenticated_until: until } = await callOnce(reauthenticationRoutes.getReauthentication, {});
    if (method !== 'none' && Date.parse(until) <= Date.now() + soonMs)
      throw new ApiError({ status: 403, code: 'reauthentication_required', message: 'Confirm that it is you.' });
    const link = document.createElement('a');
    link.href = adminBackupRoutes.downloadBackup.path.replace(':name', encodeURIComponent(name));
    link.download = name;
    link.click();
  });

/** How long a request for the file may take to arrive. */
const soonMs = 10_000;
