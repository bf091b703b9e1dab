import type pg from 'pg';
import type { InstallationSettings, SettingsChange } from '#contract/admin-settings.ts';
import { storeChange } from '#features/admin/settings.db.ts';
import { askForSecondFactors } from '#features/auth/administrator-factor.service.ts';
import { setSessionTimeout } from '#features/auth/session-timeout.service.ts';
import { Forbidden } from '#platform/errors.ts';
import type { SettingsInForce } from '#platform/installation-settings.ts';
import { inTransaction } from '#platform/transaction.ts';

export type SettingsPorts = {
  /** Connected as the role cuebird_auth, which alone may change settings. */
  pool: pg.Pool;
  settings: Pick<SettingsInForce, 'current' | 'reload'>;
};

/** Changes settings in every process. Throws Forbidden where the actor is no administrator any more. */
export async function changeSettings(
  { pool, settings }: SettingsPorts,
  {
    actorId,
    change,
    clientAddress,
    now,
  }: { actorId: string; change: SettingsChange; clientAddress: string; now: Temporal.Instant },
): Promise<InstallationSettings> {
  await inTransaction(pool, async (client) => {
    await client.query("select set_config('app.client_address', $1, true)", [clientAddress]);
    const changed = await storeChange(client, { actorId, change, now });
    if (changed === null) throw new Forbidden('Only system administrators may do this');
    if (change.sessionTimeout !== undefined && changed.includes('sessionTimeout'))
      await setSessionTimeout(client, { isOn: change.sessionTimeout, now });
    if (change.twoFactorAuth === true && changed.includes('twoFactorAuth')) await askForSecondFactors(client, { now });
  });
  await settings.reload();
  return settings.current();
}
