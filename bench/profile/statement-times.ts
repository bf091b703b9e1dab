import type { Client } from 'pg';

export type StatementTime = {
  /** As PostgreSQL's log names it. */
  id: string;
  /** Its name, or its first words. */
  name: string;
  calls: number;
  /** From the beginning to the end of its execution. */
  ms: number;
};

/** What pg_stat_statements counts in this database from now on. */
export async function openStatementTimes(owner: Client) {
  await owner.query('create extension if not exists pg_stat_statements');
  await owner.query('select pg_stat_statements_reset()');
  return {
    /** @param names of statements by their texts */
    async read(names: ReadonlyMap<string, string>): Promise<StatementTime[]> {
      const { rows } = await owner.query<StatementTime & { text: string }>(
        `select queryid::text as id, query as text, calls::int, total_exec_time as ms
           from pg_stat_statements
          where dbid = (select oid from pg_database where datname = current_database())
            and userid <> (select oid from pg_roles where rolname = current_user)
          order by total_exec_time desc`,
      );
      const byShape = new Map([...names].map(([text, name]) => [shapeOf(text), name]));
      return rows.map(({ text, ...row }) => ({
        ...row,
        name: byShape.get(shapeOf(text)) ?? text.replace(/\s+/g, ' ').slice(0, 40),
      }));
    },
  };
}

/** A statement without its constants and spaces, which pg_stat_statements replaces. */
const shapeOf = (text: string): string =>
  text
    .replace(/--[^\n]*|\/\*.*?\*\//g, '')
    .replace(/'[^']*'|\$\d+|\b\d+(?:\.\d+)?\b|\b(?:true|false|null)\b|(?<=extract\()\w+/g, '?')
    .replace(/\s+/g, '')
    .replace(/\?(?:,\?)+/g, '?');
