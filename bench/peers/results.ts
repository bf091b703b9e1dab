import { Pool } from 'pg';

/** The row that every peer records for each webhook, in the same PostgreSQL. */
export async function openResults(databaseUrl: string, { connections }: { connections: number }) {
  const pool = new Pool({ connectionString: databaseUrl, max: connections });
  await pool.query(
    'create table results (webhook_id uuid primary key, status text not null, at timestamptz not null default now())',
  );
  const countOf = async (sql: string) =>
    (await pool.query<{ count: number }>(`select count(*)::int from ${sql}`)).rows[0]?.count ?? 0;
  return {
    countOf,
    async record(id: string): Promise<void> {
      const text = "insert into results (webhook_id, status) values ($1, 'accepted')";
      await pool.query({ name: 'record', text, values: [id] });
    },
    /** For workers that receive many jobs at once. */
    async recordAll(ids: readonly string[]): Promise<void> {
      const text = "insert into results (webhook_id, status) select id, 'accepted' from unnest($1::uuid[]) as u (id)";
      await pool.query({ name: 'record-all', text, values: [ids] });
    },
    /** Vacuums the prepared tables and writes a checkpoint, as after an idle period. */
    async tidy(): Promise<void> {
      await pool.query('vacuum (analyze)');
      await pool.query('checkpoint');
    },
    query: (text: string, values: unknown[]) => pool.query(text, values),
    close: () => pool.end(),
  };
}

/** Resolves once the counts add up to n. */
export function countdown(n: number) {
  let left = n;
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    add(count = 1): void {
      left -= count;
      if (left <= 0) resolve();
    },
    done: promise,
  };
}
