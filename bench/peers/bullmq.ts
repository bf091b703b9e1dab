import { randomUUIDv7 } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import type { Contender } from '../contender.ts';
import { until } from '../until.ts';
import { createPost } from '../webhook.ts';
import { countdown, openResults } from './results.ts';

const name = 'send';
const concurrency = 64;

export const contender: Contender = {
  title: `BullMQ 6.7.0 on Redis without persistence, concurrency ${concurrency}, jobs removed when completed; one row per webhook recorded`,
  async open({ databaseUrl, sinkUrl, redisUrl }) {
    if (redisUrl === null) throw new Error('BullMQ needs a Redis.');
    const { hostname: host, port } = new URL(redisUrl);
    const connection = { host, port: Number(port), maxRetriesPerRequest: null };
    const queue = new Queue(name, { connection });
    const { post, close } = createPost({ sinkUrl, connections: concurrency });
    const results = await openResults(databaseUrl, { connections: concurrency });
    return {
      async prepare(n) {
        for (let left = n; left > 0; left -= 5_000) {
          await queue.addBulk(
            Array.from({ length: Math.min(left, 5_000) }, () => ({ name, data: { id: randomUUIDv7() } })),
          );
        }
        await results.tidy();
      },
      async run(n) {
        const recorded = countdown(n);
        const startedAt = performance.now();
        const worker = new Worker<{ id: string }>(
          name,
          async ({ data: { id } }) => {
            await post(id);
            await results.record(id);
            recorded.add();
          },
          // Recommended for production: completed jobs are removed (docs.bullmq.io/guide/workers/auto-removal-of-jobs).
          { connection, concurrency, removeOnComplete: { count: 0 } },
        );
        await recorded.done;
        await until(async () => (await queue.getJobCountByTypes('active', 'waiting')) === 0);
        const ms = performance.now() - startedAt;
        await worker.close();
        return ms;
      },
      facts: async (total) => [
        { what: 'rows recorded', expected: total, found: await results.countOf('results') },
        { what: 'jobs failed', expected: 0, found: await queue.getFailedCount() },
      ],
      async close() {
        await queue.obliterate({ force: true });
        await queue.close();
        await close();
        await results.close();
      },
    };
  },
};
