import type { Pool } from 'pg';
import { Failure } from '#contract/rehearsals.ts';
import type { FailureFor } from '#platform/sandbox/reception.ts';

/** The rehearsed failures, from the database: every process of the installation and every restart knows them. */
export function createFailures(engine: Pool): FailureFor {
  const look = shared(async () => {
    const { rows } = await engine.query<{ place: string }>(
      `select workspace_id || ' ' || channel as place from sandbox_rehearsals`,
    );
    return new Set(rows.map(({ place }) => place));
  });
  return async ({ workspaceId, channel }) => {
    const places = await look();
    return places.has(`${workspaceId} ${channel}`) ? takeOne(engine, { workspaceId, channel }) : null;
  };
}

/** The failure, with one time less to go; after the last it is over. */
async function takeOne(engine: Pool, place: { workspaceId: string; channel: string }): Promise<Failure | null> {
  const { rows } = await engine.query<{ failure: unknown }>(
    `with due as (
       select failure, times from sandbox_rehearsals where workspace_id = $1 and channel = $2 for update
     ), last as (
       delete from sandbox_rehearsals where workspace_id = $1 and channel = $2 and (select times from due) = 1
     ), less as (
       update sandbox_rehearsals set times = times - 1 where workspace_id = $1 and channel = $2 and (select times from due) > 1
     )
     select failure, pg_notify('cuebird_changes', $3) from due`,
    [place.workspaceId, place.channel, JSON.stringify({ workspace: place.workspaceId, tables: ['rehearsals'] })],
  );
  const [row] = rows;
  return row === undefined ? null : Failure.parse(row.failure);
}

/** Who asks while one look is under way shares the next: a flood of messages costs few looks, and none is out of date. */
function shared<T>(look: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return () => {
    next ??= underWay.then(() => {
      next = null;
      const looked = look();
      underWay = looked.catch(() => undefined);
      return looked;
    });
    return next;
  };
}
