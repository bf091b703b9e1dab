import type { ClientBase, Pool } from 'pg';

type Executor = Pick<ClientBase | Pool, 'query'>;

/** The value that is stored under a key of `app_settings`; undefined where there is none. */
export async function readSetting(db: Executor, key: string): Promise<unknown> {
  const { rows } = await db.query<{ value: unknown }>('select value from app_settings where key = $1', [key]);
  return rows[0]?.value;
}

export async function writeSetting(
  db: Executor,
  { key, value, now }: { key: string; value: unknown; now?: string },
): Promise<void> {
  await db.query(
    `insert into app_settings (key, value, updated_at) values ($1, $2, coalesce($3, now()))
     on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`,
    [key, JSON.stringify(value), now ?? null],
  );
}

/**
 * Writes the value if `known` is what is stored, or nothing is: when several processes start at once, only one writes.
 * @returns what is there afterwards
 */
export async function replaceSetting(
  db: Executor,
  { key, value, known }: { key: string; value: unknown; known: unknown },
): Promise<unknown> {
  const { rows } = await db.query<{ value: unknown }>(
    `insert into app_settings as s (key, value) values ($1, $2)
     on conflict (key) do update set value = case when s.value = $3 then excluded.value else s.value end, updated_at = now()
     returning value`,
    [key, JSON.stringify(value), JSON.stringify(known ?? null)],
  );
  return rows[0]?.value;
}
