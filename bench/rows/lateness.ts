import { Client } from 'pg';
import type { BenchContext } from '../context.ts';
import { openSink } from '../processes.ts';
import { startProduct } from '../product.ts';
import { sendOnTime } from '../punctuality.ts';
import { type Findings, percentile, plainRow } from '../report.ts';
import { futureTemplate } from '../seeds/future.ts';
import { createWorkspace, webhookChannel } from '../seeds/workspace.ts';

const perSecond = 50;
const seconds = 30;

/** The delay of webhooks that become due at random times, while many future jobs are in the table. */
export async function lateness(context: BenchContext): Promise<Findings> {
  const template = await futureTemplate(context, context.sizes.future);
  return context.inDatabase({ template }, async (databaseUrl) => {
    const owner = new Client({ connectionString: databaseUrl });
    await owner.connect();
    const workspaceId = await createWorkspace(owner, { slug: 'bench', channel: webhookChannel });
    const sink = await openSink('http');
    const product = await startProduct(databaseUrl);
    try {
      // Warms up the compiled code, as in a process that has run for a minute.
      await sendOnTime(owner, { workspaceIds: [workspaceId], sink, perSecond, seconds: 4 });
      const { latenessMs, problems } = await sendOnTime(owner, {
        workspaceIds: [workspaceId],
        sink,
        perSecond,
        seconds,
      });
      const about = `${perSecond} a second with ${context.sizes.future} future jobs`;
      const row = (percent: number) =>
        plainRow(`lateness p${percent}, ${about}`, percentile(latenessMs, percent), 'ms');
      return {
        rows: [row(50), row(95), { ...row(99), goal: { is: 'at most', bound: 50 } }],
        problems: problems.map((problem) => `lateness: ${problem}`),
        text: `${latenessMs.length} webhooks; the latest came after ${Math.max(...latenessMs)} ms`,
      };
    } finally {
      await product.kill();
      await sink.stop();
      await owner.end();
    }
  });
}
