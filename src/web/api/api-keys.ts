import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { type ApiKeyInput, type ApiKeyRotation, apiKeyRoutes } from '#contract/api-keys.ts';
import { useChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { keyOf } from '#web/api/query-key.ts';

/** The API keys of a workspace, newest first, with those that have ended. */
export const useApiKeys = (workspaceId: string) =>
  usePagedList({
    queryKey: keyOf(workspaceId, 'api-keys', 'list'),
    read: ({ cursor, signal }) =>
      call(apiKeyRoutes.listApiKeys, { query: { limit: 50, cursor: cursor || undefined }, workspaceId, signal }),
  });

/** How many requests the keys have sent in this hour, of how many. */
export const useRequestUse = (workspaceId: string) =>
  useQuery({
    queryKey: keyOf(workspaceId, 'api-keys', 'requests'),
    queryFn: ({ signal }) => call(apiKeyRoutes.getRequestUse, { workspaceId, signal }),
    refetchInterval: 30_000,
  });

/** Resolves with the new key, which no other answer contains. */
export const useCreateApiKey = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'api-keys')], (body: z.input<typeof ApiKeyInput>) =>
    call(apiKeyRoutes.createApiKey, { body, workspaceId }),
  );

/** Resolves with the key that replaces one, which no other answer contains. */
export const useRotateApiKey = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'api-keys')], ({ id, ...body }: z.input<typeof ApiKeyRotation> & { id: string }) =>
    call(apiKeyRoutes.rotateApiKey, { params: { id }, body, workspaceId }),
  );

export const useRevokeApiKey = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'api-keys')], (id: string) =>
    call(apiKeyRoutes.revokeApiKey, { params: { id }, workspaceId }),
  );
