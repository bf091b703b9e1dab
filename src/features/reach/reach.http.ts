import type { reachRoutes } from '#contract/reach.ts';
import type { ReachPorts } from '#features/reach/reach.service.ts';
import { reachOfDraft, reachOfReminder } from '#features/reach/reminder-reach.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const reachHandlers = (ports: ReachPorts): HandlersOf<typeof reachRoutes> => ({
  askReach: ({ ctx, query, body }) => reachOfDraft(ctx, { draft: body, query }, ports),
  getReminderReach: ({ ctx, params, query }) => reachOfReminder(ctx, { id: params.id, query }, ports),
});
