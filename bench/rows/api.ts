import { Client } from 'pg';
import { migrate } from '../../src/platform/migrate.ts';
import { prepareListing } from '../api/listing.ts';
import type { BenchContext } from '../context.ts';
import { openSink } from '../processes.ts';
import { startProduct } from '../product.ts';
import type { Findings } from '../report.ts';
import { createWorkspace, encryptionKey, webhookChannel } from '../seeds/workspace.ts';
import { measureRate } from '../api/rate.ts';
import { measureUnderLoad } from '../api/under-load.ts';

/** The list of reminders as the web requests it: the rate, and the duration of each request during heavy delivery. */
export async function api(context: BenchContext): Promise<Findings> {
  return context.inDatabase({}, async (databaseUrl) => {
    await migrate(databaseUrl, { encryptionKey });
    const { session, statements } = await prepareListing(databaseUrl);
    const owner = new Client({ connectionString: databaseUrl });
    await owner.connect();
    const flood = await createWorkspace(owner, { slug: 'flood', channel: webhookChannel });
    const sink = await openSink('http');
    const product = await startProduct(databaseUrl);
    try {
      const rate = await measureRate(context, { url: product.url, session, databaseUrl, statements });
      const load = await measureUnderLoad(context, { url: product.url, session, owner, workspaceId: flood, sink });
      return {
        rows: [...rate.rows, ...load.rows],
        problems: [...rate.problems, ...load.problems],
        text: `${rate.text}\n${load.text}`,
      };
    } finally {
      await product.kill();
      await sink.stop();
      await owner.end();
    }
  });
}
