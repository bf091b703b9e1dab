import { Client } from 'pg';
import { migrate } from '../../src/platform/migrate.ts';
import type { BenchContext } from '../context.ts';
import { openSink } from '../processes.ts';
import { startProduct } from '../product.ts';
import { sendOnTime } from '../punctuality.ts';
import { type Findings, percentile, plainRow } from '../report.ts';
import { writeToLargeAudiences } from '../seeds/people.ts';
import { writeDue } from '../seeds/reminders.ts';
import { type ChannelSeed, createWorkspace, encryptionKey, relayChannel, webhookChannel } from '../seeds/workspace.ts';
import { reportOf } from '../tally.ts';

/** 50 single jobs in 20 s. */
const rate = { perSecond: 2.5, seconds: 20 };

const destinations = [
  { name: 'never answers', answersAfter: 'never' },
  { name: 'answers after 200 ms', answersAfter: '200' },
];

/** The delay of one workspace's single jobs while another has many due jobs for a slow or dead destination, or jobs for a large audience. */
export async function fairness(context: BenchContext): Promise<Findings> {
  const all: Findings[] = [];
  for (const destination of destinations) all.push(await besideFlood(context, destination));
  all.push(await besideAudiences(context));
  return {
    rows: all.flatMap(({ rows }) => rows),
    problems: all.flatMap(({ problems }) => problems),
    text: all.map(({ text }) => text).join('\n'),
  };
}

function besideFlood(
  context: BenchContext,
  { name, answersAfter }: { name: string; answersAfter: string },
): Promise<Findings> {
  const { n } = context.sizes;
  return beside(context, {
    name: `${n} due jobs to what ${name}`,
    answersAfter,
    channel: () => webhookChannel,
    write: (owner, { workspaceId, origin }) =>
      writeDue(owner, { workspaceId, channel: 'webhook', recipient: `${origin}/hook`, n }),
  });
}

function besideAudiences(context: BenchContext): Promise<Findings> {
  const contacts = context.sizes.future;
  return beside(context, {
    name: `audiences among ${contacts} contacts`,
    answersAfter: '0',
    channel: (origin) => relayChannel(`${origin}/hook`),
    write: (owner, { workspaceId }) => writeToLargeAudiences(owner, { workspaceId, contacts, ...rate }),
  });
}

type Neighbour = {
  name: string;
  /** How its destination answers. */
  answersAfter: string;
  channel(origin: string): ChannelSeed;
  write(owner: Client, to: { workspaceId: string; origin: string }): Promise<void>;
};

function beside(context: BenchContext, { name, answersAfter, channel, write }: Neighbour): Promise<Findings> {
  return context.inDatabase({}, async (databaseUrl) => {
    await migrate(databaseUrl, { encryptionKey });
    const owner = new Client({ connectionString: databaseUrl });
    await owner.connect();
    const [slow, sink] = [await openSink('http', [answersAfter]), await openSink('http')];
    const [busy, other] = [
      await createWorkspace(owner, { slug: 'busy', channel: channel(slow.origin) }),
      await createWorkspace(owner, { slug: 'other', channel: webhookChannel }),
    ];
    await write(owner, { workspaceId: busy, origin: slow.origin });
    const product = await startProduct(databaseUrl);
    try {
      const { latenessMs, problems } = await sendOnTime(owner, { workspaceIds: [other], sink, ...rate });
      const { requests } = await reportOf(slow.reportUrl);
      if (requests === 0) problems.push('nothing of the other workspace was sent');
      const row = plainRow(`lateness p99 beside ${name}`, percentile(latenessMs, 99), 'ms');
      return {
        rows: [{ ...row, goal: { is: 'at most', bound: 200 } }],
        problems: problems.map((problem) => `fairness, ${name}: ${problem}`),
        text: `${name}: ${latenessMs.length} webhooks of the other tenant, p50 ${percentile(latenessMs, 50)} ms; ${requests} requests of the busy one meanwhile`,
      };
    } finally {
      await product.kill();
      await Promise.all([slow.stop(), sink.stop()]);
      await owner.end();
    }
  });
}
