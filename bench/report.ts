import { cpus } from 'node:os';
import { Client } from 'pg';

/** The goal of a figure: it applies to its ratio, or to its value if it has no ratio. */
export type Goal = { is: 'at least' | 'at most' | 'below'; bound: number };

/** One figure. `value` is null when nothing was measured, and the name then contains the reason. */
export type Row = {
  name: string;
  value: number | null;
  unit: string;
  against: string | null;
  ratio: number | null;
  goal: Goal | null;
};

/** The results of one part of the benchmark: its figures, its problems and further text. */
export type Findings = { rows: Row[]; problems: string[]; text: string };

/** A figure without comparison and goal. */
export const plainRow = (name: string, value: number | null, unit: string): Row => ({
  name,
  value,
  unit,
  against: null,
  ratio: null,
  goal: null,
});

/** Null when there is no goal. A figure that was not measured does not meet its goal. */
export function isMet({ value, ratio, goal }: Row): boolean | null {
  if (goal === null) return null;
  const reached = ratio ?? value;
  if (reached === null) return false;
  switch (goal.is) {
    case 'at least':
      return reached >= goal.bound;
    case 'at most':
      return reached <= goal.bound;
    case 'below':
      return reached < goal.bound;
    default:
      return goal.is satisfies never;
  }
}

export const jsonLine = (row: Row) => JSON.stringify({ ...row, goal: row.goal?.bound ?? null, met: isMet(row) });

export function tableText(rows: readonly Row[]): string {
  const cells = rows.map((row) => {
    const met = isMet(row);
    return [
      row.name,
      row.value === null ? 'left out' : `${row.value} ${row.unit}`,
      row.against ?? '',
      row.ratio === null ? '' : `× ${row.ratio}`,
      row.goal === null ? '' : `${row.goal.is} ${row.goal.bound}`,
      met === null ? '' : met ? 'met' : 'NOT MET',
    ];
  });
  const table = [['', 'measured', 'against', 'ratio', 'goal', ''], ...cells];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? [];
  return table
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Of an even number of values the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = Number.NaN, high = low] = [
    sorted[Math.ceil(sorted.length / 2) - 1],
    sorted[Math.floor(sorted.length / 2)],
  ];
  return (low + high) / 2;
}

/** The smallest value that at least this percentage of all values do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

export const ratioOf = (value: number, other: number) => Number((value / other).toFixed(2));

export async function machineText(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ version: string; fsync: string; synchronous_commit: string }>(
    "select current_setting('server_version') as version, current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit",
  );
  await client.end();
  const [postgres] = rows;
  const durability = `fsync ${postgres?.fsync}, synchronous_commit ${postgres?.synchronous_commit}`;
  return `${cpus().length} cores ${cpus()[0]?.model}, Node ${process.versions.node}, PostgreSQL ${postgres?.version} (${durability})`;
}
