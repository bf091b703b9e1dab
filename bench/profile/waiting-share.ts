import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'pg';

const everyMs = 100;

/**
 * Watches how much of the time in which the sessions of this database could have run they had to wait for a processor. `close` resolves to
 * that share; 0 on systems without /proc.
 */
export async function openWaitingShare(owner: Client): Promise<{ close(): Promise<number> }> {
  const sessions = new Map<number, { ran: number; waited: number }>();
  const closed = new AbortController();
  const look = async () => {
    const { rows } = await owner.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database() and usename <> current_user',
    );
    for (const { pid } of rows) {
      // Nanoseconds on a processor, and in the queue for one.
      const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '');
      const [ran = 0, waited = 0] = text.split(' ').map(Number);
      if (text !== '') sessions.set(pid, { ran, waited });
    }
  };
  const watch = async () => {
    while (!closed.signal.aborted) {
      await look();
      await wait(everyMs, undefined, { signal: closed.signal }).catch(() => {});
    }
  };
  const watched = watch();
  return {
    async close() {
      closed.abort();
      await watched;
      const sum = (value: (session: { ran: number; waited: number }) => number) =>
        [...sessions.values()].reduce((total, session) => total + value(session), 0);
      const [ran, waited] = [sum((session) => session.ran), sum((session) => session.waited)];
      return ran + waited === 0 ? 0 : waited / (ran + waited);
    },
  };
}
