import type { adminSettingsRoutes } from '#contract/admin-settings.ts';
import { changeSettings, type SettingsPorts } from '#features/admin/settings.service.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';

export const adminSettingsHandlers = (ports: SettingsPorts): HandlersOf<typeof adminSettingsRoutes> => ({
  getInstallationSettings: () => ports.settings.current(),
  updateInstallationSettings: ({ ctx, body, clientAddress }) =>
    new AfterCommit(() =>
      changeSettings(ports, { actorId: ctx.actor.userId, change: body, clientAddress, now: ctx.now }),
    ),
});
