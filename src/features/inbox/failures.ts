import type { Pool } from 'pg';
import { Failure } from '#contract/simulated-failures.ts';
import type { FailureFor } from '#sandbox/request-intake.ts';

/** The simulated failures are stored in the database: they apply to every process and survive a restart. */
export function createFailures(engine: Pool): FailureFor {
  const look = shared(async () => {
    const { rows } = await engine.query<{ scope: string }>(
      `select workspace_id || ' ' || channel as scope from sandbox_simulated_failures`,
    );
    return new Set(rows.map(({ scope }) => scope));
  });
  return async ({ workspaceId, channel }) => {
    const scopes = await look();
    return scopes.has(`${workspaceId} ${channel}`) ? takeOne(engine, { workspaceId, channel }) : null;
  };
}

/** Returns the failure and decrements its remaining count; it is removed after the last use. */
async function takeOne(engine: Pool, scope: { workspaceId: string; channel: string }): Promise<Failure | null> {
  const { rows } = await engine.query<{ failure: unknown }>(
    `with due as (
       select failure, times from sandbox_simulated_failures where workspace_id = $1 and channel = $2 for update
     ), last as (
       delete from sandbox_simulated_failures where workspace_id = $1 and channel = $2 and (select times from due) = 1
     ), less as (
       update sandbox_simulated_failures set times = times - 1 where workspace_id = $1 and channel = $2 and (select times from due) > 1
     )
     select failure, pg_notify('cuebird_changes', $3) from due`,
    [
      scope.workspaceId,
      scope.channel,
      JSON.stringify({ workspace: scope.workspaceId, tables: ['simulated_failures'] }),
    ],
  );
  const [row] = rows;
  return row === undefined ? null : Failure.parse(row.failure);
}

/** Callers during a query share the query after it: many messages need few queries, and no answer is older than its call. */
function shared<T>(look: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return () => {
    next ??= running.then(() => {
      next = null;
      const looked = look();
      running = looked.catch(() => undefined);
      return looked;
    });
    return next;
  };
}
