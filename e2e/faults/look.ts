import type { Client } from 'pg';
import { connectOwner } from '#testing/owner.ts';

/** What the database holds at one moment. */
export type Look = {
  jobs: Record<string, number>;
  deliveries: Record<string, number>;
  /** Attempts that have begun and have no outcome, by the worker that began them. */
  running: { recipient: string; worker: string }[];
  /** Whose attempt was under way when its worker was lost, and is unknown since somebody took the claim up. */
  takenUp: string[];
  /** Runs that ended well, by job. */
  finishedRuns: Record<string, number>;
};

export async function asOwner<T>(url: string, work: (owner: Client) => Promise<T>): Promise<T> {
  const owner = await connectOwner(url);
  const { promise: died, reject } = Promise.withResolvers<never>();
  // Also when nothing is asked of it, as while it listens.
  owner.on('error', reject);
  died.catch(() => {});
  try {
    return await Promise.race([work(owner), died]);
  } finally {
    await owner.end();
  }
}

/** Resolves once the query finds nothing; it asks again whenever the engine says that something changed. */
export async function foundNone(owner: Client, { query, values }: { query: string; values: unknown[] }): Promise<void> {
  let changed = Promise.withResolvers<void>();
  owner.on('notification', () => changed.resolve());
  await owner.query('listen cuebird_changes');
  for (;;) {
    changed = Promise.withResolvers();
    const { rows } = await owner.query(query, values);
    if (rows.length === 0) return;
    await changed.promise;
  }
}

export async function look(owner: Client): Promise<Look> {
  // Of one moment.
  await owner.query('begin isolation level repeatable read');
  const jobs = await countBy(owner, 'select status as name, count(*)::int from jobs group by 1');
  const deliveries = await countBy(owner, 'select status as name, count(*)::int from deliveries group by 1');
  const { rows } = await owner.query<{ recipient: string; worker: string }>(running);
  const { rows: unknown } = await owner.query<{ recipient: string }>(takenUp);
  const finishedRuns = await countBy(owner, finished);
  await owner.query('commit');
  return { jobs, deliveries, running: rows, takenUp: unknown.map(({ recipient }) => recipient), finishedRuns };
}

/** First attempts stand in their claim alone, later ones in the ledger. */
const running = `
  select b ->> 3 as recipient, c.worker
    from claims c
   cross join json_array_elements(c.begun) b
   where not exists (select from deliveries d where d.job_id = (b ->> 1)::uuid and d.channel = b ->> 2 and d.recipient = b ->> 3)
   union
  select d.recipient, c.worker
    from deliveries d
    join jobs j on j.id = d.job_id
    join claims c on c.id = j.claim_id
   where d.status = 'sending'`;

/** Before they are tried again, which is not within the first seconds. */
const takenUp = `
  select recipient from deliveries
   where status = 'waiting' and reason = 'The server stopped, and the message may have been sent'`;

/** Every row that tells what became of jobs and recipients. */
export const everything = `
  select to_jsonb(j) as row from jobs j union all
  select to_jsonb(d) from deliveries d union all
  select to_jsonb(e) from executions e
   order by 1`;

const finished = `
  select job_id::text as name, count(*)::int from executions where status = 'completed' group by 1`;

async function countBy(owner: Client, query: string): Promise<Record<string, number>> {
  const { rows } = await owner.query<{ name: string; count: number }>(query);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
