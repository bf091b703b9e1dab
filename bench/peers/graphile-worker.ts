import { Logger, run, runMigrations } from 'graphile-worker';
import { Pool } from 'pg';
import type { Contender } from '../contender.ts';
import { until } from '../until.ts';
import { createPost } from '../webhook.ts';

const concurrentJobs = 64;

/** Queue and batches as its own page on performance sets them (worker.graphile.org/docs/performance), more jobs at a time. */
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
    // It writes a line for every job otherwise.
    const logger = new Logger(() => () => {});
    const pool = new Pool({ connectionString: databaseUrl, max: concurrentJobs });
    const { post, close } = createPost({ sinkUrl, connections: concurrentJobs });
    await runMigrations({ preset, logger });
    await pool.query(
      'create table results (webhook_id uuid primary key, status text not null, at timestamptz not null default now())',
    );
    const countOf = async (table: string) =>
      (await pool.query<{ count: number }>(`select count(*)::int from ${table}`)).rows[0]?.count ?? 0;
    return {
      async prepare(n) {
        await pool.query(
          `select count(*) from graphile_worker.add_jobs(array(
             select json_populate_record(null::graphile_worker.job_spec,
               json_build_object('identifier', 'send', 'payload', json_build_object('id', uuidv7())))
               from generate_series(1, $1)))`,
          [n],
        );
        await pool.query('vacuum (analyze)');
        await pool.query('checkpoint');
      },
      async run(n) {
        let recorded = 0;
        const { promise: allRecorded, resolve } = Promise.withResolvers<void>();
        const send = async (payload: unknown) => {
          const id = idIn(payload);
          await post(id);
          await pool.query({
            name: 'record',
            text: "insert into results (webhook_id, status) values ($1, 'accepted')",
            values: [id],
          });
          recorded += 1;
          if (recorded === n) resolve();
        };
        const startedAt = performance.now();
        const runner = await run({ preset, logger, noHandleSignals: true, taskList: { send } });
        await allRecorded;
        await until(async () => (await countOf('graphile_worker._private_jobs')) === 0);
        const ms = performance.now() - startedAt;
        await runner.stop();
        return ms;
      },
      facts: async (total) => [
        { what: 'rows recorded', expected: total, found: await countOf('results') },
        { what: 'jobs left', expected: 0, found: await countOf('graphile_worker._private_jobs') },
      ],
      async close() {
        await close();
        await pool.end();
      },
    };
  },
};

function idIn(payload: unknown): string {
  if (typeof payload === 'object' && payload !== null && 'id' in payload && typeof payload.id === 'string')
    return payload.id;
  throw new Error('A job came without its payload.');
}
