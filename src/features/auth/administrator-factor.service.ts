import type pg from 'pg';
import type { InstallationSettings } from '#contract/admin-settings.ts';
import type { Person } from '#features/auth/auth.sessions.ts';

/** After so many days without a second factor, an administrator cannot use their rights. */
const graceDays = 7;

type Asked = Pick<Person, 'secondFactorAskedAt'>;
type Settings = Pick<InstallationSettings, 'twoFactorAuth'>;

/** By when this administrator needs a second factor; null for who has one, and while the setting is off. */
export const secondFactorDueAt = (
  { secondFactorAskedAt: asked }: Asked,
  settings: Settings,
): Temporal.Instant | null => (asked === null || !settings.twoFactorAuth ? null : asked.add({ hours: graceDays * 24 }));

export function isSecondFactorOverdue(person: Asked, { settings, now }: { settings: Settings; now: Temporal.Instant }) {
  const dueAt = secondFactorDueAt(person, settings);
  return dueAt !== null && Temporal.Instant.compare(dueAt, now) <= 0;
}

/** Starts these days anew for every administrator. Within the transaction that turns the setting on. */
export async function askForSecondFactors(
  client: Pick<pg.PoolClient, 'query'>,
  { now }: { now: Temporal.Instant },
): Promise<void> {
  await client.query('update profiles set second_factor_asked_at = $1 where is_system_admin', [now.toString()]);
}
