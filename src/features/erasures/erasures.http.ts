import type { erasureRoutes } from '#contract/erasures.ts';
import * as erasures from '#features/erasures/erasures.service.ts';
import type { HandlersOf } from '#platform/handler.ts';
import type { SecretBox } from '#platform/secrets.ts';

export const erasureHandlers = (deps: { secrets: SecretBox }): HandlersOf<typeof erasureRoutes> => ({
  listErasures: ({ ctx, query }) => erasures.listErasures(ctx, query),
  erasePerson: ({ ctx, body }) => erasures.erasePerson(ctx, body, deps),
  exportPerson: ({ ctx, body }) => erasures.exportPerson(ctx, body),
});
