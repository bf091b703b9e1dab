import { useQuery } from '@tanstack/react-query';
import {
  type Replay,
  type WebhookChanges,
  type Activity,
  type WebhookInput,
  webhookRoutes,
} from '#contract/webhooks.ts';
import { useChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { keyOf } from '#web/api/query-key.ts';

/** The webhooks of a workspace, oldest first. */
export const useWebhooks = (workspaceId: string) =>
  useQuery({
    queryKey: keyOf(workspaceId, 'webhooks', 'list'),
    queryFn: async ({ signal }) => (await call(webhookRoutes.listWebhooks, { workspaceId, signal })).data,
    meta: { watches: ['webhooks'] },
  });

/** The log of a webhook, newest first; null shows every status. */
export const useWebhookActivities = (
  workspaceId: string,
  { id, status }: { id: string; status: Activity['status'] | null },
) =>
  usePagedList({
    queryKey: keyOf(workspaceId, 'webhooks', 'activities', { id, status }),
    read: ({ cursor, signal }) =>
      call(webhookRoutes.listWebhookActivities, {
        params: { id },
        query: { limit: 20, cursor: cursor || undefined, status: status ?? undefined },
        workspaceId,
        signal,
      }),
    watches: ['webhooks'],
    keepsRows: true,
  });

export const useCreateWebhook = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'webhooks')], (body: WebhookInput) =>
    call(webhookRoutes.createWebhook, { body, workspaceId }),
  );

export const useUpdateWebhook = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'webhooks')], ({ id, ...body }: WebhookChanges & { id: string }) =>
    call(webhookRoutes.updateWebhook, { params: { id }, body, workspaceId }),
  );

export const useDeleteWebhook = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'webhooks')], (id: string) =>
    call(webhookRoutes.deleteWebhook, { params: { id }, workspaceId }),
  );

export const useTestWebhook = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'webhooks')], (id: string) =>
    call(webhookRoutes.testWebhook, { params: { id }, workspaceId }),
  );

/** Resolves with how many activities are sent again. */
export const useReplayWebhookActivities = (workspaceId: string, id: string) =>
  useChange(
    [keyOf(workspaceId, 'webhooks')],
    async (body: Replay) =>
      (await call(webhookRoutes.replayWebhookActivities, { params: { id }, body, workspaceId })).replayed,
  );
