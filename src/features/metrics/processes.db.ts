import type { ClientBase, Pool } from 'pg';
import type { ProcessRole, Thread } from '#features/metrics/metrics.service.ts';

type Executor = Pick<ClientBase | Pool, 'query'>;

export type ProcessIdentity = {
  id: string;
  role: ProcessRole;
  version: string;
  host: string;
  pid: number;
  startedAt: Temporal.Instant;
  /** The most connections to the database that it opens. */
  connections: number;
  /** A hash of what it lets go out. */
  outbound: string;
};

type Usage = { cpu: number; memoryBytes: number; eventLoopDelayMs: number };

/** Writes a sign of life of a process. */
export async function writeProcess(
  db: Executor,
  {
    id,
    role,
    version,
    host,
    pid,
    startedAt,
    connections,
    outbound,
    usage,
    now,
  }: ProcessIdentity & { usage: Usage; now: Temporal.Instant },
): Promise<void> {
  await db.query(
    `insert into processes (id, role, version, host, pid, started_at, seen_at, cpu, memory_bytes, event_loop_delay_ms, connections, outbound)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (id) do update
        set seen_at = excluded.seen_at, cpu = excluded.cpu, memory_bytes = excluded.memory_bytes,
            event_loop_delay_ms = excluded.event_loop_delay_ms`,
    [
      id,
      role,
      version,
      host,
      pid,
      startedAt.toString(),
      now.toString(),
      usage.cpu,
      usage.memoryBytes,
      usage.eventLoopDelayMs,
      connections,
      outbound,
    ],
  );
}

/** How many connections the processes with a sign of life since then may open, and how many the server admits. */
export async function readConnectionSum(
  db: Executor,
  since: Temporal.Instant,
): Promise<{ processes: number; wanted: number; admitted: number }> {
  const { rows } = await db.query<{ processes: number; wanted: number; admitted: number }>(
    `select count(*)::int as processes, coalesce(sum(connections), 0)::int as wanted,
            current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
              - current_setting('reserved_connections')::int as admitted
       from processes where stopped_at is null and seen_at > $1`,
    [since.toString()],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a select of a sum answered no row');
  return row;
}

export const markStopped = (db: Executor, { id, now }: { id: string; now: Temporal.Instant }) =>
  db.query('update processes set stopped_at = $2 where id = $1', [id, now.toString()]);

type ThreadFigures = { processId: string; thread: Thread; figures: unknown; now: Temporal.Instant };

export const insertFigures = (db: Executor, { processId, thread, figures, now }: ThreadFigures) =>
  db.query(
    `insert into process_figures (process_id, thread, seen_at, figures) values ($1, $2, $3, $4)
     on conflict (process_id, thread) do update set seen_at = excluded.seen_at, figures = excluded.figures`,
    [processId, thread, now.toString(), JSON.stringify(figures)],
  );

/** Updates the figures of a thread. False once its row was removed because it was taken for ended. */
export async function updateFigures(
  db: Executor,
  { processId, thread, figures, now }: ThreadFigures,
): Promise<boolean> {
  const { rowCount } = await db.query(
    'update process_figures set seen_at = $3, figures = $4 where process_id = $1 and thread = $2',
    [processId, thread, now.toString(), JSON.stringify(figures)],
  );
  return rowCount === 1;
}

type FiguresRow = { process_id: string; thread: string; seen_at: string; figures: unknown };

export async function allFigures(db: Executor): Promise<FiguresRow[]> {
  const { rows } = await db.query<FiguresRow>(
    'select process_id, thread, seen_at, figures from process_figures order by process_id, thread',
  );
  return rows;
}

/** Removes and returns the figures of threads last seen before this, and of all but the latest `most`. */
export async function takeEndedFigures(
  db: Executor,
  { before, most }: { before: Temporal.Instant; most: number },
): Promise<unknown[]> {
  const { rows } = await db.query<{ figures: unknown }>(
    `delete from process_figures where seen_at < $1
        or (process_id, thread) in (select process_id, thread from process_figures order by seen_at desc offset $2)
     returning figures`,
    [before.toString(), most],
  );
  return rows.map(({ figures }) => figures);
}

export const deleteEndedProcesses = (db: Executor, { before, most }: { before: Temporal.Instant; most: number }) =>
  db.query(
    'delete from processes where seen_at < $1 or id in (select id from processes order by seen_at desc offset $2)',
    [before.toString(), most],
  );

export type ProcessRow = {
  id: string;
  role: ProcessRole;
  version: string;
  host: string;
  pid: number;
  started_at: string;
  seen_at: string;
  stopped_at: string | null;
  cpu: number;
  memory_bytes: string;
  event_loop_delay_ms: number;
  outbound: string | null;
};

export async function listProcesses(db: Executor): Promise<ProcessRow[]> {
  const { rows } = await db.query<ProcessRow>(
    `select id, role, version, host, pid, started_at, seen_at, stopped_at, cpu, memory_bytes, event_loop_delay_ms, outbound
       from processes order by started_at desc, id`,
  );
  return rows;
}
