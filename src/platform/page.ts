import {
  type Expression,
  type QueryExecutorProvider,
  type SelectQueryBuilder,
  sql,
  type StringReference,
} from 'kysely';
import { encodeCursor, type Position } from '#platform/cursor.ts';

/** The most bytes of the rows of a page, as JSON. A single larger row is a page of its own. */
export const pageBytes = 2_000_000;

/** The rows of one page; `isMore`: the list continues after them. */
export type Listed<Row> = { rows: Row[]; isMore: boolean };

type ListQuery<Row> = {
  /** The query in the list's order, with a limit of one row more than the page has. */
  query: Expression<Row>;
  limit: number;
  /** The columns that can be large: their sizes are added up. A column that is answered in a longer form may be named twice. */
  large: readonly (keyof Row & string)[];
  /** Rows that are on the page already, and count towards its size. */
  before?: readonly unknown[];
};

type Positioned = { position?: string; is_over?: boolean };

/**
 * Reads one page of a list: `limit` rows, or as many as `pageBytes` has room for. The database adds up the sizes row by row
 * until they exceed the budget: what lies behind is neither unpacked nor sent. The length of the text counts, because
 * `pg_column_size` is that of the compressed value, which can be a hundredth of it.
 */
export async function readPage<Row extends object>(
  db: QueryExecutorProvider,
  { query, limit, large, before = [] }: ListQuery<Row>,
): Promise<Listed<Omit<Row & Positioned, keyof Positioned>>> {
  const isBegun = before.length > 0;
  const capacity = isBegun ? pageBytes - Buffer.byteLength(JSON.stringify(before)) : pageBytes;
  // Sorted by the window function's own order, so that reading stops at the first row over the budget.
  const { rows } = await sql<Row & Positioned>`
    with listed as materialized (
      select q.*, row_number() over () as position from ${query} q
    ), over_budget as (
      select position
        from (select position, sum(octet_length(json_build_array(${sql.join(large.map((column) => sql.ref(column)))})::text))
                              over (order by position rows unbounded preceding) as bytes
                from listed) sized
       where bytes > ${capacity} and (position > 1 or ${isBegun})
       order by position limit 1
    )
    select listed.*, position = (select position from over_budget) as is_over
      from listed
     where position <= coalesce((select position from over_budget), ${limit + 1})
     order by position`.execute(db);
  const over = rows.findIndex((row) => row.is_over === true);
  // Copied without the extra columns: an object from which a key was deleted is slow to read and copy.
  const kept = rows
    .slice(0, over === -1 ? limit : Math.min(over, limit))
    .map(({ position: _, is_over: __, ...row }) => row);
  return { rows: kept, isMore: rows.length > kept.length };
}

type LatestQuery<DB, Table extends keyof DB, Row> = Pick<ListQuery<Row>, 'limit' | 'large'> & {
  query: SelectQueryBuilder<DB, Table, Row>;
  /** The column of the instant; the table's `id` decides between equal ones. */
  by: StringReference<DB, Table>;
  after: Position | null;
};

/** Reads one page of a list whose latest rows come first. */
export function readLatest<DB, Table extends keyof DB, Row extends object>(
  db: QueryExecutorProvider,
  { query, by, after, limit, large }: LatestQuery<DB, Table, Row>,
) {
  const [at, id] = [sql.ref(by), sql.ref(`${by.slice(0, by.lastIndexOf('.') + 1)}id`)];
  const listed = query
    .orderBy(at, 'desc')
    .orderBy(id, 'desc')
    .limit(limit + 1);
  const rest =
    after === null
      ? listed
      : listed.where(sql<boolean>`(${at}, ${id}) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  return readPage(db, { query: rest, limit, large });
}

/** The page as it is answered, with the cursor after its last row. */
export function pageOf<Row extends { id: string }>(
  { rows, isMore }: Listed<Row>,
  { at }: { at: (row: Row) => string },
): { data: Row[]; next_cursor: string | null } {
  const last = rows.at(-1);
  return { data: rows, next_cursor: isMore && last !== undefined ? encodeCursor({ at: at(last), id: last.id }) : null };
}
