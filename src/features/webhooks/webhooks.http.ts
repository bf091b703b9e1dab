import type { webhookRoutes } from '#contract/webhooks.ts';
import * as webhooks from '#features/webhooks/webhooks.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const webhookHandlers = (ports: webhooks.WebhookPorts): HandlersOf<typeof webhookRoutes> => ({
  listWebhooks: ({ ctx }) => webhooks.listWebhooks(ctx),
  createWebhook: ({ ctx, body }) => webhooks.createWebhook(ctx, { input: body, ports }),
  updateWebhook: ({ ctx, params, body }) => webhooks.updateWebhook(ctx, { id: params.id, changes: body, ports }),
  deleteWebhook: ({ ctx, params }) => webhooks.deleteWebhook(ctx, params.id),
  testWebhook: ({ ctx, params }) => webhooks.testWebhook(ctx, params.id),
  listWebhookActivities: ({ ctx, params, query }) => webhooks.listWebhookActivities(ctx, { id: params.id, query }),
  replayWebhookActivities: ({ ctx, params, body }) =>
    webhooks.replayWebhookActivities(ctx, { id: params.id, replay: body }),
});
