import type { clientErrorRoutes } from '#contract/client-errors.ts';
import { createClientErrorLog } from '#features/client-errors/client-errors.service.ts';
import type { HandlersOf } from '#platform/handler.ts';
import type { Log } from '#platform/log.ts';

export function clientErrorHandlers(deps: {
  log: Log;
  now: () => Temporal.Instant;
}): HandlersOf<typeof clientErrorRoutes> {
  const write = createClientErrorLog(deps);
  return { reportClientError: ({ ctx, body }) => ({ id: write(body, { userId: ctx.actor.userId }) }) };
}
