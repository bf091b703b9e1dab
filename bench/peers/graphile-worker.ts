import { Logger, run, runMigrations } from 'graphile-worker';
import type { Contender } from '../contender.ts';
import { until } from '../until.ts';
import { createPost } from '../webhook.ts';
import { countdown, openResults } from './results.ts';

const concurrentJobs = 64;

/** Queue and batches as on its performance page (worker.graphile.org/docs/performance), with more concurrent jobs. */
const worker = {
  concurrentJobs,
  maxPoolSize: 16,
  localQueue: { size: 500 },
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
};

export const contender: Contender = {
  title: `graphile-worker 0.18.0, ${concurrentJobs} at a time, local queue 500, completion in batches; one row per webhook recorded`,
  async open({ databaseUrl, sinkUrl }) {
    const preset = { worker: { ...worker, connectionString: databaseUrl } };
    // The default logger writes a line for every job.
    const logger = new Logger(() => () => {});
    const { post, close } = createPost({ sinkUrl, connections: concurrentJobs });
    await runMigrations({ preset, logger });
    const results = await openResults(databaseUrl, { connections: concurrentJobs });
    return {
      async prepare(n) {
        await results.query(
          `select count(*) from graphile_worker.add_jobs(array(
             select json_populate_record(null::graphile_worker.job_spec,
               json_build_object('identifier', 'send', 'payload', json_build_object('id', uuidv7())))
               from generate_series(1, $1)))`,
          [n],
        );
        await results.tidy();
      },
      async run(n) {
        const recorded = countdown(n);
        const send = async (payload: unknown) => {
          const id = idIn(payload);
          await post(id);
          await results.record(id);
          recorded.add();
        };
        const startedAt = performance.now();
        const runner = await run({ preset, logger, noHandleSignals: true, taskList: { send } });
        await recorded.done;
        await until(async () => (await results.countOf('graphile_worker._private_jobs')) === 0);
        const ms = performance.now() - startedAt;
        await runner.stop();
        return ms;
      },
      facts: async (total) => [
        { what: 'rows recorded', expected: total, found: await results.countOf('results') },
        { what: 'jobs left', expected: 0, found: await results.countOf('graphile_worker._private_jobs') },
      ],
      async close() {
        await close();
        await results.close();
      },
    };
  },
};

function idIn(payload: unknown): string {
  if (typeof payload === 'object' && payload !== null && 'id' in payload && typeof payload.id === 'string')
    return payload.id;
  throw new Error('A job came without its payload.');
}
