import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { renamed, renameObjects, renameSettings } from '#platform/early-schema.sql.ts';

/** What has run in a database, oldest first. */
export type AppliedMigrations = readonly { name: string; hash: string }[];

/** The database stands at a migration from before the baseline, and not at the last of them. */
export class UnfinishedDatabase extends Error {
  constructor(last: string) {
    super(
      `The database is from an early version of Cuebird, at migration ${last}, which this version cannot upgrade. Start the code of commit ${lastEarlyMigration.commit} with it once, which upgrades it to ${lastEarlyMigration.migration}; then start this version.`,
    );
  }
}

/** Where the migrations ended that the baseline replaces. */
export const lastEarlyMigration = { migration: '0023_event_triggers.sql', commit: '1eabf8d' };
const first = '0001_foundation.sql';
/** Of their names and hashes. */
const digest = 'c08f3ba33006571258ef9baf727d0169ffe9bfdccc183a533f88cb1309802ec8';

/** Whether migrations from before the baseline have run: all of them, or some only, or others than those. */
export function earlyMigrations(ran: AppliedMigrations): 'none' | 'complete' | 'unfinished' {
  if (!ran.some(({ name }) => name === first)) return 'none';
  const lines = ran.map(({ name, hash }) => `${name} ${hash}\n`).join('');
  return createHash('sha256').update(lines).digest('hex') === digest ? 'complete' : 'unfinished';
}

/** The files that hold the schema as it was when the migrations were squashed. */
export const isBaseline = (name: string) => name < '0012';

/**
 * Takes over a database from before the baseline, within a transaction: renames what has another name now, then brings
 * functions, their rights and comments to the text of the baseline. Throws an UnfinishedDatabase.
 * @param options.baseline the files of the baseline, which count as run afterwards
 */
export async function convertEarlyDatabase(
  owner: Client,
  { ran, baseline }: { ran: AppliedMigrations; baseline: readonly { name: string; sql: string; hash: string }[] },
): Promise<void> {
  if (earlyMigrations(ran) === 'unfinished') throw new UnfinishedDatabase(ran.at(-1)?.name ?? '');
  await owner.query(renameObjects);
  await owner.query('alter table app_settings no force row level security');
  await owner.query(renameSettings);
  await owner.query('alter table app_settings force row level security');
  for (const statement of baseline.flatMap(({ sql }) => repeatable(sql))) await owner.query(statement);
  await owner.query('delete from schema_migrations');
  for (const { name, hash } of baseline)
    await owner.query('insert into schema_migrations (name, hash) values ($1, $2)', [name, hash]);
}

/** Statements of the baseline that may be run in a database that has been through them. They begin lines, their parts do not. */
const repeatable = (sql: string) =>
  sql
    .split(/\n(?=create |comment |grant |revoke |alter |do )/)
    .filter((statement) => /^(create function|comment on|grant execute|revoke all on function) /.test(statement))
    .map((statement) => statement.replace(/^create /, 'create or replace '));

/** The name of an early table, and of a column of it, in the baseline. */
export const baselineTable = (table: string): string => renamedIn(renamed.tables, table);
export const baselineColumn = (table: string, column: string): string =>
  renamedIn(Object.entries(renamed.columns).find(([name]) => name === table)?.[1] ?? {}, column);

const renamedIn = (names: Readonly<Record<string, string>>, name: string) => names[name] ?? name;
