import type { notificationRoutes } from '#contract/notifications.ts';
import type { RoutePorts } from '#features/channels/route.service.ts';
import { createJob, sendNotification } from '#features/notifications/notifications.service.ts';
import { hopsIn } from '#platform/hops.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const notificationHandlers = (ports: RoutePorts): HandlersOf<typeof notificationRoutes> => ({
  sendNotification: ({ ctx, body, request }) => sendNotification(ctx, body, { ...ports, hops: hopsIn(request) }),
  createJob: ({ ctx, body, request }) => createJob(ctx, body, { ...ports, hops: hopsIn(request) }),
});
