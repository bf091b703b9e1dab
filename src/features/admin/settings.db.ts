import type pg from 'pg';
import { defaultSettings, type SettingsChange } from '#contract/admin-settings.ts';
import { settingsKey } from '#platform/installation-settings.ts';

/** SQL of a setting's value for the audit log: `on` or `off` for a switch, a number as it is. */
const inWords = (value: string) => `case ${value} when 'true' then '"on"' when 'false' then '"off"' else ${value} end`;

/**
 * Stores a change, and logs an act for each setting whose value differs now. Within a transaction.
 * @returns the names of those; null where the actor is no administrator any more
 */
export async function storeChange(
  client: Pick<pg.PoolClient, 'query'>,
  { actorId, change, now }: { actorId: string; change: SettingsChange; now: Temporal.Instant },
): Promise<string[] | null> {
  // Locked until the commit: changes follow one another, so that each logs the value before it.
  await client.query(
    "insert into app_settings (key, value, updated_at) values ($1, '{}', $2) on conflict (key) do nothing",
    [settingsKey, now.toString()],
  );
  const { rows } = await client.query<{ name: string | null }>(
    `with actor as (
       select id from profiles where id = $1 and is_system_admin and suspended_at is null
     ), held as materialized (
       select value from app_settings where key = $2 for update
     ), changed as (
       select name, coalesce(held.value -> name, $4::jsonb -> name) as before, new.value as after
         from held cross join actor cross join jsonb_each($3::jsonb) as new (name, value)
        where coalesce(held.value -> name, $4::jsonb -> name) <> new.value
     ), saved as (
       update app_settings s set value = s.value || $3::jsonb, updated_at = $5
         from actor where s.key = $2
     ), logged as (
       insert into audit_log (workspace_id, actor_id, action, target, details, created_at)
       select null, $1, 'admin.setting_changed', name,
              jsonb_build_object('setting', name, 'from', ${inWords('before')}, 'to', ${inWords('after')}), $5
         from changed order by name
     )
     select changed.name from actor left join changed on true`,
    [actorId, settingsKey, JSON.stringify(change), JSON.stringify(defaultSettings), now.toString()],
  );
  if (rows.length === 0) return null;
  return rows.flatMap(({ name }) => (name === null ? [] : [name]));
}
