import type { suppressionRoutes } from '#contract/suppressions.ts';
import * as suppressions from '#features/suppressions/suppressions.service.ts';
import type { HandlersOf } from '#platform/handler.ts';
import type { SecretBox } from '#platform/secrets.ts';

export const suppressionHandlers = (ports: { secrets: SecretBox }): HandlersOf<typeof suppressionRoutes> => ({
  listSuppressions: ({ ctx, query }) => suppressions.listSuppressions(ctx, query),
  addSuppression: ({ ctx, body }) => suppressions.addSuppression(ctx, body, ports),
  updateSuppression: ({ ctx, params, body }) => suppressions.narrowSuppression(ctx, { id: params.id, to: body }),
  removeSuppression: ({ ctx, params }) => suppressions.removeSuppression(ctx, params.id),
});
