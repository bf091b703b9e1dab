import type { notificationRoutes } from '#contract/notifications.ts';
import type { RoutePorts } from '#features/channels/route.service.ts';
import { createJob, sendNotification } from '#features/notifications/notifications.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const notificationHandlers = (ports: RoutePorts): HandlersOf<typeof notificationRoutes> => ({
  sendNotification: ({ ctx, body }) => sendNotification(ctx, body, ports),
  createJob: ({ ctx, body }) => createJob(ctx, body, ports),
});
