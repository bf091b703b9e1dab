import type { Pool, PoolClient } from 'pg';
import { isOutsideWorkspaces } from '#contract/route.ts';
import type { AppDeps } from '#http/app.ts';
import { inTenant, type Tenant } from '#platform/database.ts';
import { AfterCommit, type InTransaction } from '#platform/handler.ts';

/**
 * A guard that lets everybody in as the owner of whichever workspace the request names. The database is told the caller's own workspace, as
 * by a guard that is right about who calls and wrong about what they may see.
 */
export const admitEverybody =
  (caller: () => { workspaceId: string; userId: string }): NonNullable<AppDeps['admit']> =>
  async (route, { request, clientAddress, deps }) => {
    const { workspaceId, userId } = caller();
    const named = request.headers.get('x-workspace-id') ?? workspaceId;
    const actor = { kind: 'user' as const, userId };
    const tenant: Tenant = {
      workspaceId: isOutsideWorkspaces(route.access) ? null : workspaceId,
      userId,
      clientAddress,
    };
    return {
      sender: userId,
      sharers: { person: userId },
      assertReauthenticated: async () => {},
      async enter(work) {
        if (route.access === 'public') return work(null);
        const enter: InTransaction = (some) => inTenant(deps.db, tenant, some);
        const answer = await enter((db) => work({ db, actor, now: deps.now(), workspaceId: named, role: 'owner' }));
        return answer instanceof AfterCommit ? answer.finish(enter) : answer;
      },
    };
  };

/** A comparison of a column `workspace_id` with a parameter: of the query builder, or of SQL that was written by hand. */
const condition = /(?:"?\w+"?\.)?"?\bworkspace_id\b"? = (\$\d+)/g;

/**
 * From now on every statement of requests that compares a workspace's id with a value forgets it: the condition becomes true. The text is
 * changed on its way to the server, so that it makes no difference who wrote it.
 * @returns how many conditions were left out so far
 */
export function forgetWorkspaces(pool: Pool): () => number {
  let forgotten = 0;
  const without = (text: string) =>
    text.replaceAll(condition, (_, parameter: string) => {
      forgotten += 1;
      return `${parameter}::uuid is not null`;
    });
  const changed = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => {
    if (changed.has(client)) return;
    changed.add(client);
    const query: unknown = Reflect.get(client, 'query');
    if (typeof query !== 'function') throw new Error('a connection has no query');
    Object.assign(client, {
      query: (statement: unknown, ...rest: unknown[]) =>
        Reflect.apply(query, client, [typeof statement === 'string' ? without(statement) : statement, ...rest]),
    });
  });
  return () => forgotten;
}
