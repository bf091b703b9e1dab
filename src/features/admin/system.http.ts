import type { adminSystemRoutes } from '#contract/admin-system.ts';
import { type SystemPorts, systemState } from '#features/admin/system.service.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';

export const adminSystemHandlers = (ports: SystemPorts): HandlersOf<typeof adminSystemRoutes> => ({
  // Its transaction has nothing to do: no connection of requests is held meanwhile.
  getSystemState: ({ ctx }) => new AfterCommit(() => systemState(ports, ctx.now)),
});
