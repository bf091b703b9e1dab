import type { apiKeyRoutes } from '#contract/api-keys.ts';
import * as apiKeys from '#features/api-keys/api-keys.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const apiKeyHandlers: HandlersOf<typeof apiKeyRoutes> = {
  listApiKeys: ({ ctx, query }) => apiKeys.listApiKeys(ctx, query),
  createApiKey: ({ ctx, body }) => apiKeys.createApiKey(ctx, body),
  revokeApiKey: ({ ctx, params }) => apiKeys.revokeApiKey(ctx, params.id),
};
