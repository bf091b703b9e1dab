import { Client } from 'pg';
import { migrate } from '../../src/platform/migrate.ts';
import type { BenchContext } from '../context.ts';
import { openSink } from '../processes.ts';
import { startProduct } from '../product.ts';
import { sendOnTime } from '../punctuality.ts';
import { type Findings, percentile, plainRow } from '../report.ts';
import { writeDue } from '../seeds/reminders.ts';
import { createWorkspace, encryptionKey, webhookChannel } from '../seeds/workspace.ts';
import { reportOf } from '../tally.ts';

/** 50 single jobs in 20 s. */
const rate = { perSecond: 2.5, seconds: 20 };

const destinations = [
  { name: 'never answers', answersAfter: 'never' },
  { name: 'answers after 200 ms', answersAfter: '200' },
];

/** The delay of one workspace's single jobs while another has many due jobs for a slow or dead destination. */
export async function fairness(context: BenchContext): Promise<Findings> {
  const all: Findings[] = [];
  for (const destination of destinations) all.push(await besideFlood(context, destination));
  return {
    rows: all.flatMap(({ rows }) => rows),
    problems: all.flatMap(({ problems }) => problems),
    text: all.map(({ text }) => text).join('\n'),
  };
}

async function besideFlood(
  context: BenchContext,
  { name, answersAfter }: { name: string; answersAfter: string },
): Promise<Findings> {
  const { n } = context.sizes;
  return context.inDatabase({}, async (databaseUrl) => {
    await migrate(databaseUrl, { encryptionKey });
    const owner = new Client({ connectionString: databaseUrl });
    await owner.connect();
    const [flood, other] = [
      await createWorkspace(owner, { slug: 'flood', channel: webhookChannel }),
      await createWorkspace(owner, { slug: 'other', channel: webhookChannel }),
    ];
    const [slow, sink] = [await openSink('http', [answersAfter]), await openSink('http')];
    await writeDue(owner, { workspaceId: flood, channel: 'webhook', recipient: `${slow.origin}/hook`, n });
    const product = await startProduct(databaseUrl);
    try {
      const { latenessMs, problems } = await sendOnTime(owner, { workspaceId: other, sink, ...rate });
      const { requests } = await reportOf(slow.reportUrl);
      if (requests === 0) problems.push('nothing of the flood was sent');
      const row = plainRow(`lateness p99 beside ${n} due jobs to what ${name}`, percentile(latenessMs, 99), 'ms');
      return {
        rows: [{ ...row, goal: { is: 'at most', bound: 200 } }],
        problems: problems.map((problem) => `fairness, ${name}: ${problem}`),
        text: `${name}: ${latenessMs.length} webhooks of the other tenant, p50 ${percentile(latenessMs, 50)} ms; ${requests} requests of the flood meanwhile`,
      };
    } finally {
      await product.kill();
      await Promise.all([slow.stop(), sink.stop()]);
      await owner.end();
    }
  });
}
