import { PgBoss } from 'pg-boss';
import type { Contender } from '../contender.ts';
import { until } from '../until.ts';
import { createPost } from '../webhook.ts';
import { countdown, openResults } from './results.ts';

const queue = 'send';
const connections = 64;

/**
 * A worker waits at least half a second between two fetches unless a fetch was full (burst), so several workers with large batches are
 * fastest (pgboss.io/api/workers). Each job of a batch has its own result: otherwise one failure would send the whole batch again.
 */
const work = {
  batchSize: 500,
  localConcurrency: 4,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 0.5,
  perJobResults: true as const,
};

/** The queue has its own table, and only workers run: no schedules and no maintenance. */
const options = { max: 16, schedule: false, supervise: false };

/** `row` records each result when it arrives, like the other peers; `batch` records a complete batch in one statement. */
export function pgBoss({ recordedBy }: { recordedBy: 'row' | 'batch' }): Contender {
  return {
    title: `pg-boss 12.35.0, ${work.localConcurrency} workers with batches of ${work.batchSize}, without a pause while batches are full; one row per webhook recorded, by the ${recordedBy}`,
    async open({ databaseUrl, sinkUrl }) {
      const boss = new PgBoss({ ...options, connectionString: databaseUrl });
      boss.on('error', (error) => console.error(error));
      await boss.start();
      await boss.createQueue(queue, { partition: true });
      const { post, close } = createPost({ sinkUrl, connections });
      const results = await openResults(databaseUrl, { connections });
      const jobs = (state: string) => results.countOf(`pgboss.job where name = '${queue}' and state ${state}`);
      const send = async (ids: string[]) => {
        if (recordedBy === 'row') return Promise.all(ids.map((id) => post(id).then(() => results.record(id))));
        await Promise.all(ids.map(post));
        return results.recordAll(ids);
      };
      return {
        async prepare(n) {
          for (let left = n; left > 0; left -= 10_000) {
            await boss.insert(
              queue,
              Array.from({ length: Math.min(left, 10_000) }, () => ({ data: {} })),
            );
          }
          await results.tidy();
        },
        async run(n) {
          const recorded = countdown(n);
          const startedAt = performance.now();
          await boss.work(queue, work, async (batch) => {
            await send(batch.map(({ id }) => id));
            recorded.add(batch.length);
            return batch.map(({ id }) => ({ id, status: 'completed' as const }));
          });
          await recorded.done;
          await until(async () => (await jobs("< 'completed'")) === 0);
          const ms = performance.now() - startedAt;
          await boss.offWork(queue, { wait: true });
          return ms;
        },
        facts: async (total) => [
          { what: 'rows recorded', expected: total, found: await results.countOf('results') },
          { what: 'jobs completed', expected: total, found: await jobs("= 'completed'") },
        ],
        async close() {
          await boss.stop({ graceful: false });
          await close();
          await results.close();
        },
      };
    },
  };
}

export const contender = pgBoss({ recordedBy: 'row' });
