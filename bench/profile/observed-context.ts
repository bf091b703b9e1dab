import { type BenchContext, openBenchContext } from '../context.ts';

/** A statement that waited for another transaction's lock for more than a millisecond. */
export type LockWait = { statementId: string; lock: string; ms: number };

export type ObservedContext = BenchContext & {
  /** The waits since the last call. */
  takeLockWaits(): LockWait[];
};

/** A second PostgreSQL, which measures its statements and logs who waits for a lock. The others are spared that work. */
const settings = {
  shared_preload_libraries: 'pg_stat_statements',
  log_lock_waits: 'on',
  deadlock_timeout: '1ms',
  log_line_prefix: '%Q ',
};

export async function inObservedContext<T>(
  { sizes, say }: BenchContext,
  work: (observed: ObservedContext) => Promise<T>,
): Promise<T> {
  let waits: LockWait[] = [];
  const log = (line: string) => {
    const [, statementId, lock, ms] = waited.exec(line) ?? [];
    if (statementId !== undefined && lock !== undefined) waits.push({ statementId, lock, ms: Number(ms) });
  };
  const context = await openBenchContext({ sizes, say, postgres: { settings, log } });
  const takeLockWaits = () => {
    const taken = waits;
    waits = [];
    return taken;
  };
  try {
    return await work({ ...context, takeLockWaits });
  } finally {
    await context.close();
  }
}

/** As in `-42 LOG:  process 7 acquired ShareLock on transaction 12 after 3.456 ms`. */
const waited = /^(-?\d+) LOG: +process \d+ acquired \w+ on ([a-z ]+) \S.* after (\d+\.\d+) ms/;
