import { type Kysely, sql } from 'kysely';
import { expect } from 'vitest';
import { type Db, inTenant } from '#platform/database.ts';
import type { Schema } from '#platform/schema.ts';

/** A statement as it was sent. */
export type Asked = { sql: string; parameters: readonly unknown[] };

type Watched = { watched: Kysely<Schema>; asked: Asked[]; workspace: string };

/** The tables that a query reads whole, by the plan of each statement that it sends. `watched` tells `asked` of each. */
export async function readWhole(
  { watched, asked, workspace }: Watched,
  query: (db: Db) => Promise<unknown>,
): Promise<string[]> {
  const plans = JSON.stringify(await plansOf({ watched, asked, workspace }, query));
  const found = plans.matchAll(/"Node Type":"Seq Scan"[^{}]*?"Relation Name":"(\w+)"/g);
  return [...found].map(([, table = '']) => table);
}

/** The plan of each statement that a query sends. */
export async function plansOf(
  { watched, asked, workspace }: Watched,
  query: (db: Db) => Promise<unknown>,
): Promise<unknown[]> {
  return inTenant(watched, { workspaceId: workspace, userId: null }, async (db) => {
    asked.length = 0;
    await query(db);
    const statements = asked.splice(0);
    expect(statements.length).toBeGreaterThan(0);
    const plans: unknown[] = [];
    for (const { sql: text, parameters } of statements) {
      const explain = sql.raw<{ 'QUERY PLAN': unknown }>(`explain (format json) ${text}`).compile(db);
      plans.push((await db.executeQuery({ ...explain, parameters })).rows);
    }
    return plans;
  });
}
