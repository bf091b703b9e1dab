import { hostname } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import type { Pool } from 'pg';
import { z } from 'zod';
import { adminLogLimits, type LogLevel } from '#contract/admin-logs.ts';

/** The most lines that wait for the database; while it does not answer, the oldest are dropped. */
const mostWaiting = 2_000;
const gatherMs = 1_000;
const mostDetails = 4_000;

const levels: Record<number, LogLevel> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };

const Line = z.looseObject({ level: z.number(), time: z.number(), msg: z.string().default('') });

export type LogRing = {
  /** Takes a line of the log. */
  write(line: string): void;
  /** From now on writes the lines that were taken to the database; `stop` writes the rest. */
  store(pool: Pick<Pool, 'query'>, process: string): { stop(): Promise<void> };
};

/**
 * The newest lines of the log of every process, for administrators: each writes its own to one table, and deletes what is older than the
 * newest 20,000. A database that does not answer costs lines, and nothing else.
 */
export function createLogRing(): LogRing {
  const waiting: string[] = [];
  let onWrite = () => {};
  return {
    write(line) {
      waiting.push(line);
      if (waiting.length > mostWaiting) waiting.shift();
      onWrite();
    },
    store(pool, process) {
      let timer: NodeJS.Timeout | null = null;
      const write = async () => {
        timer = null;
        const rows = waiting.splice(0).flatMap((line) => rowOf(line, process));
        if (rows.length === 0) return;
        // A failure is not logged, since that would be the next line to write.
        await pool.query(storeLines, [JSON.stringify(rows), adminLogLimits.lines]).catch(() => {});
      };
      onWrite = () => {
        timer ??= setTimeout(() => void write(), gatherMs).unref();
      };
      if (waiting.length > 0) onWrite();
      return {
        async stop() {
          onWrite = () => {};
          if (timer !== null) clearTimeout(timer);
          await write();
        },
      };
    },
  };
}

/** How the log names this process, or its delivery thread. */
export const processName = (roles: readonly string[]): string =>
  `${isMainThread ? roles.join(' and ') : 'deliveries'} ${process.pid} on ${hostname()}`.slice(0, 200);

const storeLines = `
  with stored as (
    insert into log_entries (created_at, level, process, message, details)
    select created_at, level, process, message, details
      from jsonb_to_recordset($1::jsonb) as l (created_at timestamptz, level text, process text, message text, details jsonb)
    returning id
  )
  delete from log_entries where id <= (select max(id) from stored) - $2::integer`;

function rowOf(line: string, process: string) {
  try {
    // Removes NUL, which PostgreSQL text cannot contain.
    const {
      level,
      time,
      msg,
      pid: _,
      hostname: __,
      ...details
    } = Line.parse(JSON.parse(line.replaceAll(String.raw`\u0000`, '')));
    const text = JSON.stringify(details);
    return [
      {
        created_at: new Date(time).toISOString(),
        level: levels[level] ?? 'info',
        process,
        message: msg.slice(0, 2_000),
        details: text.length > mostDetails ? { shortened: text.slice(0, mostDetails) } : details,
      },
    ];
  } catch {
    return [];
  }
}
