import type { webhookRoutes } from '#contract/webhooks.ts';
import * as webhooks from '#features/webhooks/webhooks.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const webhookHandlers = (ports: webhooks.WebhookPorts): HandlersOf<typeof webhookRoutes> => ({
  listWebhooks: ({ ctx }) => webhooks.listWebhooks(ctx),
  createWebhook: ({ ctx, body }) => webhooks.createWebhook(ctx, { input: body, ports }),
  updateWebhook: ({ ctx, params, body }) => webhooks.updateWebhook(ctx, { id: params.id, changes: body, ports }),
  deleteWebhook: async ({ ctx, params }) => {
    await webhooks.deleteWebhook(ctx, params.id);
    return {};
  },
  testWebhook: ({ ctx, params }) => webhooks.testWebhook(ctx, params.id),
  listWebhookEvents: ({ ctx, params, query }) => webhooks.listWebhookEvents(ctx, { id: params.id, query }),
  replayWebhookEvents: ({ ctx, params, body }) => webhooks.replayWebhookEvents(ctx, { id: params.id, replay: body }),
});
