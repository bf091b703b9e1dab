import { Client } from 'pg';
import { migrate } from '../../src/platform/migrate.ts';
import type { BenchContext } from '../context.ts';
import { cpuMsOf, openPostgresCpu } from '../postgres-cpu.ts';
import { openSink } from '../processes.ts';
import { startProduct } from '../product.ts';
import { sendOnTime } from '../punctuality.ts';
import { type Findings, percentile, plainRow } from '../report.ts';
import { tidy } from '../seeds/reminders.ts';
import { createWorkspace, encryptionKey, webhookChannel } from '../seeds/workspace.ts';

const workspaces = 1_000;
const ofEach = 10;
/** The time for writing them all. */
const leadSeconds = 60;

/** The delay of webhooks of a thousand workspaces that come due within one second, as at nine in the morning. */
export async function burst(context: BenchContext): Promise<Findings> {
  return context.inDatabase({}, async (databaseUrl) => {
    await migrate(databaseUrl, { encryptionKey });
    const owner = new Client({ connectionString: databaseUrl });
    await owner.connect();
    const workspaceIds: string[] = [];
    for (let at = 0; at < workspaces; at += 1)
      workspaceIds.push(await createWorkspace(owner, { slug: `w${at}`, channel: webhookChannel }));
    const sink = await openSink('http');
    const product = await startProduct(databaseUrl);
    const spent = { product: 0, postgres: 0 };
    try {
      await sendOnTime(owner, { workspaceIds: workspaceIds.slice(0, 20), sink, perSecond: 5, seconds: 4 });
      let cpu = await openPostgresCpu(databaseUrl);
      let productMs = 0;
      const { latenessMs, problems } = await sendOnTime(owner, {
        workspaceIds,
        sink,
        perSecond: ofEach,
        seconds: 1,
        leadSeconds,
        async onWritten() {
          await tidy(owner);
          cpu = await openPostgresCpu(databaseUrl);
          productMs = await cpuMsOf(product.pid);
        },
      });
      spent.postgres = (await cpu.spentMs()) ?? 0;
      spent.product = (await cpuMsOf(product.pid)) - productMs;
      const about = `${workspaces * ofEach} webhooks of ${workspaces} workspaces within a second`;
      const row = (percent: number) =>
        plainRow(`lateness p${percent}, ${about}`, percentile(latenessMs, percent), 'ms');
      return {
        rows: [row(50), row(99)],
        problems: problems.map((problem) => `burst: ${problem}`),
        text: `the product spent ${spent.product} ms of processor time, PostgreSQL ${spent.postgres} ms; the latest webhook came after ${Math.max(...latenessMs)} ms`,
      };
    } finally {
      await product.kill();
      await sink.stop();
      await owner.end();
    }
  });
}
