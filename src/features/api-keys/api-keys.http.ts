import type { apiKeyRoutes } from '#contract/api-keys.ts';
import * as apiKeys from '#features/api-keys/api-keys.service.ts';
import { type LimitSettings, requestUse } from '#features/api-keys/request-limit.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const apiKeyHandlers = ({ settings }: { settings: () => LimitSettings }): HandlersOf<typeof apiKeyRoutes> => ({
  listApiKeys: ({ ctx, query }) => apiKeys.listApiKeys(ctx, query),
  createApiKey: ({ ctx, body }) => apiKeys.createApiKey(ctx, body),
  rotateApiKey: ({ ctx, params, body }) => apiKeys.rotateApiKey(ctx, { id: params.id, ...body }),
  getRequestUse: ({ ctx }) => requestUse(ctx, settings()),
  revokeApiKey: ({ ctx, params }) => apiKeys.revokeApiKey(ctx, params.id),
});
