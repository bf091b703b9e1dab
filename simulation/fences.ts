import type { FinishRow } from '#engine/run/run-result.ts';
import type { RecordBatch } from '#engine/store.ts';
import type { Backend } from '#simulation/backend.ts';
import type { History } from '#simulation/history.ts';
import type { Tables } from '#simulation/tables.ts';

/** A worker that no longer owns a job changes nothing of it, and records no run. */
export type FenceWatch = { watch(batch: RecordBatch, record: () => Promise<void>): Promise<void>; broken: string[] };

export function createFenceWatch({ inside }: Backend, history: History): FenceWatch {
  const broken: string[] = [];
  return {
    broken,
    async watch(batch, record) {
      if (inside === null) return record();
      const { tables, serialize } = inside;
      // The three steps run without a gap between them.
      const foreign = serialize(() => foreignIn(batch, tables).map(asItIs(tables)));
      const recorded = record();
      const after = serialize(async () => (await foreign).map(({ finish }) => asItIs(tables)(finish)));
      await recorded;
      const [before, now] = await Promise.all([foreign, after]);
      history.count('ignored finishes', before.length);
      before.forEach(({ state, finish: { jobId } }, at) => {
        if (state !== now[at]?.state) broken.push(`${jobId} was changed by a worker that no longer owned it`);
      });
    },
  };
}

/** A worker may own a job twice, and end it legitimately under the other claim. */
function foreignIn({ finishes }: RecordBatch, tables: Tables): FinishRow[] {
  const ended = new Set(finishes.filter((finish) => isHolder(tables, finish)).map(({ jobId }) => jobId));
  return finishes.filter(({ jobId }) => !ended.has(jobId));
}

const isHolder = (tables: Tables, { jobId, claimId }: FinishRow) => tables.jobs.get(jobId)?.claim_id === claimId;

const asItIs = (tables: Tables) => (finish: FinishRow) => {
  const runs = tables.executions.filter((run) => run.job_id === finish.jobId).length;
  return { finish, state: JSON.stringify([tables.jobs.get(finish.jobId), runs]) };
};
