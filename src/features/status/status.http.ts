import type { Status, statusRoutes } from '#contract/status.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const statusHandlers = ({ status }: { status: () => Promise<Status> }): HandlersOf<typeof statusRoutes> => ({
  getStatus: () => status(),
});
