import type { consentRoutes } from '#contract/consents.ts';
import * as consents from '#features/consents/consents.service.ts';
import { exportConsents } from '#features/consents/export.service.ts';
import type { HandlersOf } from '#platform/handler.ts';
import type { SecretBox } from '#platform/secrets.ts';

export const consentHandlers = (ports: { secrets: SecretBox }): HandlersOf<typeof consentRoutes> => ({
  listConsents: ({ ctx, query }) => consents.listConsents(ctx, query),
  recordConsents: async ({ ctx, body }) => ({
    data: await consents.recordConsents(ctx, { inputs: body.consents, ...ports }),
  }),
  getConsentProof: ({ ctx, query }) => consents.proveConsent(ctx, query, ports),
  exportConsents: ({ ctx, query: { workspace: _, ...query } }) => exportConsents(ctx, query),
  countConsents: async ({ ctx }) => ({ data: await consents.countConsents(ctx) }),
  listContactConsents: ({ ctx, params, query }) => consents.listContactConsents(ctx, { id: params.id, ...query }),
});
