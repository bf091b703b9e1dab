import type { Pool } from 'pg';
import type { unknownPathRoutes } from '#contract/unknown-paths.ts';
import { listUnknownPaths } from '#features/unknown-paths/unknown-paths.service.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';

/** `pool` is connected as the role cuebird_engine. */
export const unknownPathHandlers = ({ pool }: { pool: Pool }): HandlersOf<typeof unknownPathRoutes> => ({
  listUnknownPaths: ({ ctx }) => new AfterCommit(async () => ({ data: await listUnknownPaths(pool, ctx.now) })),
});
