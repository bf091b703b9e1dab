import type pg from 'pg';

/** After how many days without use a session ends, and after how many however much it is used. */
export const sessionDays = { idle: 30, absolute: 90 };

/** After how many days without use a session ends; with the setting off, only the absolute limit counts. */
export const idleDays = ({ sessionTimeout }: { sessionTimeout: boolean }): number =>
  sessionTimeout ? sessionDays.idle : sessionDays.absolute;

/**
 * Gives every session the end that the new setting means, and ends those past it: every process hears of them. Within the transaction that changes
 * it.
 */
export async function setSessionTimeout(
  client: Pick<pg.PoolClient, 'query'>,
  { isOn, now }: { isOn: boolean; now: Temporal.Instant },
): Promise<void> {
  await client.query(
    `update auth_sessions
        set expires_at = least(updated_at + make_interval(hours => 24 * $1), created_at + make_interval(hours => 24 * $2))
      where expires_at > $3`,
    [idleDays({ sessionTimeout: isOn }), sessionDays.absolute, now.toString()],
  );
  await client.query('delete from auth_sessions where expires_at <= $1', [now.toString()]);
}
