import type { realtimeRoutes } from '#contract/realtime.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import type { OpenStreams } from '#features/realtime/open-streams.ts';
import { openStream } from '#features/realtime/realtime.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

/** @param ports.closing ends every open stream when the server stops */
export const realtimeHandlers = (ports: {
  auth: Pick<Auth, 'sessionOf'>;
  streams: OpenStreams;
  closing: AbortSignal;
}): HandlersOf<typeof realtimeRoutes> => ({
  openStream: ({ ctx, request }) => openStream(ctx, { ...ports, request }),
});
