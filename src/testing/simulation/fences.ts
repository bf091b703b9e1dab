import type { FinishRow, RecordBatch } from '#engine/store.ts';
import type { Ground } from '#testing/simulation/ground.ts';
import type { History } from '#testing/simulation/history.ts';
import type { Tables } from '#testing/simulation/tables.ts';

/** Whoever no longer holds a job changes nothing of it, and leaves no run on record. */
export type FenceWatch = { watch(batch: RecordBatch, record: () => Promise<void>): Promise<void>; broken: string[] };

export function createFenceWatch({ inside }: Ground, history: History): FenceWatch {
  const broken: string[] = [];
  return {
    broken,
    async watch(batch, record) {
      if (inside === null) return record();
      const { tables, inTurn } = inside;
      // Three in a row: nothing comes between them.
      const foreign = inTurn(() => foreignIn(batch, tables).map(asItIs(tables)));
      const recorded = record();
      const after = inTurn(async () => (await foreign).map(({ finish }) => asItIs(tables)(finish)));
      await recorded;
      const [before, now] = await Promise.all([foreign, after]);
      history.count('finishes that were not heard', before.length);
      before.forEach(({ state, finish: { jobId } }, at) => {
        if (state !== now[at]?.state) broken.push(`${jobId} was changed by a worker that no longer held it`);
      });
    },
  };
}

/** A worker may hold a job twice, and end it rightfully with the other hold. */
function foreignIn({ finishes }: RecordBatch, tables: Tables): FinishRow[] {
  const ended = new Set(finishes.filter((finish) => isHolder(tables, finish)).map(({ jobId }) => jobId));
  return finishes.filter(({ jobId }) => !ended.has(jobId));
}

const isHolder = (tables: Tables, { jobId, claimId }: FinishRow) => tables.jobs.get(jobId)?.claim_id === claimId;

const asItIs = (tables: Tables) => (finish: FinishRow) => {
  const runs = tables.executions.filter((run) => run.job_id === finish.jobId).length;
  return { finish, state: JSON.stringify([tables.jobs.get(finish.jobId), runs]) };
};
