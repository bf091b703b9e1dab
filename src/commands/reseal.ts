import { escapeIdentifier, type Client } from 'pg';
import { type Row, type Sealers, type SealedColumn, sealedColumns } from '#commands/sealed-columns.ts';
import { inTransactionOn } from '#platform/transaction.ts';

export type Resealed = {
  /** How many values were sealed again with the newest key. */
  values: number;
  /** The tables with values that no key opens, as `table (rows)`; these stay as they are. */
  unreadable: string[];
};

const batchSize = 200;

/**
 * Seals everything with the newest key that an older one has sealed, some rows in each transaction. Whatever interrupts it, what
 * is left is found by the next run.
 * @param options.onBatch told the number of values so far
 */
export async function resealAll(
  owner: Client,
  sealers: Sealers,
  { signal, onBatch }: { signal: AbortSignal; onBatch: (values: number) => void },
): Promise<Resealed> {
  let values = 0;
  for (;;) {
    const before = values;
    const unreadable: string[] = [];
    for (const column of sealedColumns) {
      let after = '(0,0)';
      let rows = 0;
      for (;;) {
        signal.throwIfAborted();
        const batch = await inTransactionOn(owner, () => resealBatch(owner, { column, sealers, after }));
        if (batch.last === null) break;
        after = batch.last;
        rows += batch.unreadable;
        values += batch.values;
        onBatch(values);
      }
      if (rows > 0) unreadable.push(`${column.table} (${rows})`);
    }
    if (values === before) return { values, unreadable };
  }
}

type Batch = {
  values: number;
  unreadable: number /** The id of the last row of the batch; null at the end. */;
  last: string | null;
};

/**
 * Reads rows in their physical order, which needs no index. A row that moves meanwhile is found by the next pass; passes end when one finds nothing.
 */
async function resealBatch(
  owner: Client,
  { column, sealers, after }: { column: SealedColumn; sealers: Sealers; after: string },
): Promise<Batch> {
  const table = escapeIdentifier(column.table);
  const { rows } = await owner.query<Row & { row_id: string }>(
    `select ctid::text as row_id, ${[...column.context, `${column.texts} as texts`].join(', ')}
       from ${table} where ctid > $1::tid and exists (select from unnest(${column.texts}) t where t like any ($2::text[]))
      order by ctid limit $3 for update`,
    [after, column.older(sealers), batchSize],
  );
  const batch: Batch = { values: 0, unreadable: 0, last: rows.at(-1)?.row_id ?? null };
  const set = column.columns.map((name, at) => `${escapeIdentifier(name)} = $${at + 2}`).join(', ');
  for (const row of rows) {
    const resealed = await column.reseal(row, sealers).catch(() => null);
    if (resealed === null) {
      batch.unreadable += 1;
      continue;
    }
    await owner.query(`update ${table} set ${set} where ctid = $1::tid`, [row.row_id, ...resealed.values]);
    batch.values += resealed.count;
  }
  return batch;
}
