import type { consentRoutes } from '#contract/consents.ts';
import * as consents from '#features/consents/consents.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const consentHandlers: HandlersOf<typeof consentRoutes> = {
  listConsents: ({ ctx, query }) => consents.listConsents(ctx, query),
  recordConsents: async ({ ctx, body }) => ({ data: await consents.recordConsents(ctx, body.consents) }),
  countConsents: async ({ ctx }) => ({ data: await consents.countConsents(ctx) }),
  listContactConsents: ({ ctx, params, query }) => consents.listContactConsents(ctx, { id: params.id, ...query }),
};
