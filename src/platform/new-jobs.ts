import { CompiledQuery, type Insertable } from 'kysely';
import type { Db } from '#platform/database.ts';
import type { Jobs } from '#platform/schema.ts';

/** Columns that no insert brings: the database computes them, or later statements write them. */
type WrittenLater = 'stop_reason' | 'claim_id' | 'failed_at' | 'cancelled_at' | 'archived_at' | 'run_outcome';

/** The type of every column that a new job can bring. */
const types = {
  id: 'uuid',
  workspace_id: 'uuid',
  reminder_id: 'uuid',
  event_id: 'uuid',
  name: 'text',
  type: 'text',
  status: 'text',
  scheduled_for: 'timestamptz',
  run_at: 'timestamptz',
  expires_at: 'timestamptz',
  attempts: 'int',
  max_attempts: 'int',
  revision: 'int',
  payload: 'jsonb',
  error_message: 'text',
  reason_code: 'text',
  started_at: 'timestamptz',
  paused_at: 'timestamptz',
  completed_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} satisfies Record<Exclude<keyof Jobs, WrittenLater>, string>;

type JobColumn = keyof typeof types;

const isJobColumn = (name: string): name is JobColumn => name in types;

export const jobColumns = Object.keys(types).filter(isJobColumn);

/** A new job, which comes due at its scheduled time unless it says otherwise. Columns that are left out have the table's default. */
export type NewJob = Omit<Pick<Insertable<Jobs>, JobColumn>, 'run_at'> & { run_at?: string };

/**
 * When a job comes due that a person or a program asks for: at its time, or at once where that has passed. Nobody could have sent it earlier, so it is not late.
 * Both are ISO instants.
 */
export const dueAt = (at: string, { asked }: { asked: string }): string =>
  Temporal.Instant.compare(Temporal.Instant.from(at), Temporal.Instant.from(asked)) < 0 ? asked : at;

/** Keeps the job that an occurrence has already. */
export const keepOccurrence = "on conflict (reminder_id, scheduled_for) where type = 'reminder' do nothing";
export const keepEventJob = 'on conflict (event_id, reminder_id) where event_id is not null do nothing';

/**
 * The statement that inserts jobs, with one array as the parameter of each of these columns.
 * @param computed expressions for further columns, over a row `u` of the arrays
 */
export function insertJobsText(given: readonly JobColumn[], computed: Partial<Record<JobColumn, string>> = {}): string {
  const usual = given.includes('run_at') ? {} : { run_at: 'u.scheduled_for' };
  const more = Object.entries({ ...usual, ...computed });
  return `insert into jobs (${[...given, ...more.map(([column]) => column)].join(', ')})
    select ${[...given.map((column) => `u.${column}`), ...more.map(([, expression]) => expression)].join(', ')}
      from unnest(${given.map((column, n) => `$${n + 1}::${types[column]}[]`).join(', ')}) as u (${given.join(', ')})`;
}

/** Inserts jobs, which all leave out the same columns. Returns the ids of the inserted ones, in order. */
export async function insertJobs(
  db: Db,
  jobs: readonly NewJob[],
  onConflict: typeof keepOccurrence | typeof keepEventJob | '' = '',
): Promise<string[]> {
  const given = jobColumns.filter((column) => jobs[0]?.[column] !== undefined);
  if (given.length === 0) return [];
  const values = given.map((column) => jobs.map((job) => job[column] ?? null));
  const text = `${insertJobsText(given)} ${onConflict} returning id`;
  const { rows } = await db.executeQuery<{ id: string }>(CompiledQuery.raw(text, values));
  return rows.map(({ id }) => id);
}
