import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { migrate } from '../../src/platform/migrate.ts';
import { askNowAndThen } from '../api/requests.ts';
import { type Session, signUp } from '../api/session.ts';
import type { HostileReport } from '../hostile/attacker.ts';
import { floods } from '../hostile/floods.ts';
import type { BenchContext } from '../context.ts';
import { fileOf, messageOf, stopped } from '../processes.ts';
import { type Product, startProduct } from '../product.ts';
import { type Findings, percentile, plainRow } from '../report.ts';
import { writeReminders } from '../seeds/reminders.ts';
import { encryptionKey } from '../seeds/workspace.ts';

const perSecond = 50;
const idleMs = 10_000;
const hostileMs = 20_000;

/** The duration of health checks and the memory of the process while strangers and a member send hostile requests. */
export async function hostile(context: BenchContext): Promise<Findings> {
  return context.inDatabase({}, async (databaseUrl) => {
    await migrate(databaseUrl, { encryptionKey });
    const owner = new Client({ connectionString: databaseUrl });
    await owner.connect();
    const product = await startProduct(databaseUrl);
    try {
      const member = await signUp(product.url);
      await writeLargestReminders(owner, member);
      return await measure(product, { member, callbackPath: await openCallback(product.url, member) });
    } finally {
      await product.kill();
      await owner.end();
    }
  });
}

type Attacked = { member: Session; callbackPath: string };

/** Makes a mail channel, and returns the path at which its server may report bounces. */
async function openCallback(url: string, { headers }: Session): Promise<string> {
  const configuration = { smtp_host: '127.0.0.1', smtp_port: 25, username: 'office@elm.example', use_tls: false };
  const response = await fetch(`${url}/api/channels`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ name: 'Office', type: 'email', configuration }),
  });
  if (!response.ok) throw new Error(`no channel: ${response.status} ${await response.text()}`);
  const { callback_url: callback }: { callback_url: string } = JSON.parse(await response.text());
  return new URL(callback).pathname;
}

async function measure(product: Product, { member, callbackPath }: Attacked): Promise<Findings> {
  const health = { workspaceId: '', path: '/api/health', headers: {} };
  const ask = (until: AbortSignal) => askNowAndThen(product.url, { session: health, perSecond, until });
  await ask(AbortSignal.timeout(2_000));
  const idle = await ask(AbortSignal.timeout(idleMs));
  const idleMiB = residentMiB(product.pid);

  const { loaded, peakMiB, report } = await beside(product, { member, callbackPath, ask });
  const { requests, answers } = report;
  const flooded = await floods(product.url, { member });

  const failures = Object.entries(answers).filter(([, { statuses }]) =>
    Object.keys(statuses).some((s) => s >= '500' && s <= '599' && s !== '503'),
  );
  return {
    rows: [
      plainRow('health p99 idle', rounded(percentile(idle, 99)), 'ms'),
      {
        ...plainRow('health p99 beside hostile requests', rounded(percentile(loaded, 99)), 'ms'),
        goal: { is: 'at most', bound: 200 },
      },
      ...flooded.map(({ name, longestMs }) => ({
        ...plainRow(`a member's call beside ${name}`, rounded(longestMs), 'ms'),
        goal: { is: 'at most' as const, bound: 1_000 },
      })),
      plainRow('memory idle', idleMiB, 'MiB'),
      { ...plainRow('memory beside hostile requests', peakMiB, 'MiB'), goal: { is: 'at most', bound: 600 } },
    ],
    problems: [
      ...failures.map(([name, { statuses }]) => `hostile: ${name} was answered ${JSON.stringify(statuses)}`),
      ...(requests < 100 ? [`hostile: only ${requests} hostile requests`] : []),
    ],
    text: [
      `${requests} hostile requests; health p50 ${rounded(percentile(loaded, 50))} ms, at most ${rounded(Math.max(...loaded))} ms`,
      ...Object.entries(answers).map(
        ([name, { statuses, largestBytes }]) => `${name}: ${JSON.stringify(statuses)}, at most ${largestBytes} bytes`,
      ),
      ...flooded.map(({ name, statuses }) => `${name}: ${JSON.stringify(statuses)}`),
    ].join('\n'),
  };
}

async function beside(
  product: Product,
  { member, callbackPath, ask }: Attacked & { ask: (until: AbortSignal) => Promise<number[]> },
): Promise<{ loaded: number[]; peakMiB: number | null; report: HostileReport }> {
  const attacker = fork(fileOf('hostile/attacker.ts'));
  try {
    const stop = new AbortController();
    const attack = messageOf<HostileReport>(attacker);
    attacker.send({ url: product.url, member: member.headers, callbackPath });
    const asking = ask(stop.signal);
    const peakMiB = await highestOf(() => residentMiB(product.pid), { forMs: hostileMs });
    stop.abort();
    const loaded = await asking;
    attacker.send('stop');
    return { loaded, peakMiB, report: await attack };
  } finally {
    await stopped(attacker, 'SIGKILL');
  }
}

const rounded = (ms: number) => Number(ms.toFixed(1));

/** A page of the largest rows that the API accepts. */
async function writeLargestReminders(owner: Client, { workspaceId }: Session): Promise<void> {
  const tomorrow = Temporal.Now.instant().add({ hours: 24 }).round('second');
  const at = Array.from({ length: 200 }, () => tomorrow);
  await writeReminders(owner, { workspaceId, channel: 'email', recipient: 'dana@example.com', at });
  const recipients = Array.from({ length: 10_000 }, (_, n) => `${'tenant'.repeat(12)}${n}@example.com`);
  await owner.query(
    `update reminders set content = content::jsonb || jsonb_build_object('message', repeat('Rent is due. ', 7000), 'recipients', $2::jsonb)
      where workspace_id = $1`,
    [workspaceId, JSON.stringify(recipients)],
  );
}

async function highestOf(read: () => number | null, { forMs }: { forMs: number }): Promise<number | null> {
  const deadline = performance.now() + forMs;
  let highest: number | null = null;
  while (performance.now() < deadline) {
    const now = read();
    if (now !== null && now > (highest ?? 0)) highest = now;
    await wait(50);
  }
  return highest;
}

/** Null on systems without /proc. */
function residentMiB(pid: number): number | null {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? null : Math.round(Number(kibibytes) / 1024);
  } catch {
    return null;
  }
}
