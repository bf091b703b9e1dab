import { type Kysely, sql } from 'kysely';
import { expect } from 'vitest';
import { type Db, inTenant } from '#platform/database.ts';
import type { Schema } from '#platform/schema.ts';

/** A statement that was sent. */
export type Asked = { sql: string; parameters: readonly unknown[] };

type Watched = { watched: Kysely<Schema>; asked: Asked[]; workspace: string };

/** The tables that a query scans completely, from the plan of each of its statements. `watched` records them in `asked`. */
export async function readWhole(
  { watched, asked, workspace }: Watched,
  query: (db: Db) => Promise<unknown>,
): Promise<string[]> {
  const plans = JSON.stringify(await plansOf({ watched, asked, workspace }, query));
  const found = plans.matchAll(/"Node Type":"Seq Scan"[^{}]*?"Relation Name":"(\w+)"/g);
  return [...found].map(([, table = '']) => table);
}

/** The plan of each statement of a query; with `isRun`, it includes the execution statistics. */
export async function plansOf(
  { watched, asked, workspace }: Watched,
  query: (db: Db) => Promise<unknown>,
  { isRun = false } = {},
): Promise<unknown[]> {
  return inTenant(watched, { workspaceId: workspace, userId: null }, async (db) => {
    // The transaction's own statements are sent with the first one.
    await sql`select`.execute(db);
    asked.length = 0;
    await query(db);
    const statements = asked.splice(0);
    expect(statements.length).toBeGreaterThan(0);
    const plans: unknown[] = [];
    for (const { sql: text, parameters } of statements) {
      const explain = sql
        .raw<{ 'QUERY PLAN': unknown }>(
          `explain (format json${isRun ? ', analyze, buffers, serialize text' : ''}) ${text}`,
        )
        .compile(db);
      plans.push((await db.executeQuery({ ...explain, parameters })).rows);
    }
    return plans;
  });
}
