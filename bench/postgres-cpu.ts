import { readdir, readFile } from 'node:fs/promises';
import { Client } from 'pg';

/** The CPU time of the server's processes from now on, in milliseconds; null on systems without /proc. */
export async function openPostgresCpu(databaseUrl: string): Promise<{ spentMs(): Promise<number | null> }> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = (await statOf(rows[0]?.pid ?? 0))?.parent;
  await client.end();
  if (postmaster === undefined) return { spentMs: async () => null };
  const before = await ticksUnder(postmaster);
  // Linux reports CPU time in hundredths of a second.
  return { spentMs: async () => ((await ticksUnder(postmaster)) - before) * 10 };
}

/** The CPU time of a process until now, in milliseconds; 0 on systems without /proc. */
export const cpuMsOf = async (pid: number): Promise<number> => ((await statOf(pid))?.ticks ?? 0) * 10;

/** CPU ticks of the server and its processes, including those that have ended. */
async function ticksUnder(postmaster: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const stats = await Promise.all(pids.map(async (pid) => ({ pid, stat: await statOf(pid) })));
  return stats.reduce((sum, { pid, stat }) => {
    if (pid === postmaster) return sum + (stat?.ticks ?? 0) + (stat?.endedTicks ?? 0);
    return stat?.parent === postmaster ? sum + stat.ticks : sum;
  }, 0);
}

async function statOf(pid: number): Promise<{ parent: number; ticks: number; endedTicks: number } | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The program's name, in parentheses, can contain any character; the numbers follow it.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number.parseFloat);
  const [, parent = 0] = fields;
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11);
  return text === '' ? null : { parent, ticks: user + system, endedTicks: endedUser + endedSystem };
}
