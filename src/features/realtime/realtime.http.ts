import type { realtimeRoutes } from '#contract/realtime.ts';
import { streamChanges } from '#features/realtime/changes-stream.ts';
import type { HandlersOf } from '#platform/handler.ts';
import type { PubSub } from '#platform/pubsub.ts';

/** @param ports.closing ends every open stream when the server stops */
export const realtimeHandlers = ({
  pubsub,
  closing,
}: {
  pubsub: PubSub;
  closing: AbortSignal;
}): HandlersOf<typeof realtimeRoutes> => ({
  openStream: ({ ctx, request }) =>
    streamChanges(pubsub, { workspaceId: ctx.workspaceId, signal: AbortSignal.any([request.signal, closing]) }),
});
