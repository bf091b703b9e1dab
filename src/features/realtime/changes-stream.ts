import { z } from 'zod';
import type { Change } from '#contract/realtime.ts';
import type { PubSub } from '#platform/pubsub.ts';

const Payload = z.object({ workspace: z.uuid(), tables: z.array(z.string()) });

const heartbeatMs = 25_000;

/** How many lines wait for a reader. */
const queueLimit = 1_000;

const resync = 'event: resync\ndata: {}\n\n';

/**
 * Server-sent events of one workspace: `data: {"table":"jobs"}` when something of that table changed, `event: resync` when
 * anything may have, a comment every 25 s so that proxies keep the line open.
 */
export function streamChanges(
  pubsub: PubSub,
  { workspaceId, signal }: { workspaceId: string; signal: AbortSignal },
): Response {
  const encoder = new TextEncoder();
  let stop = () => {};
  let isBehind = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        // A reader that does not keep up gets one resync, once it does, instead of an endless queue.
        isBehind ||= (controller.desiredSize ?? 0) < -queueLimit;
        if (!isBehind) controller.enqueue(encoder.encode(text));
      };
      const unsubscribe = pubsub.subscribe('cuebird_changes', (payload) => {
        for (const line of linesFor(payload, workspaceId)) write(line);
      });
      const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs);
      stop = () => {
        clearInterval(heartbeat);
        unsubscribe();
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = () => {
        stop();
        controller.close();
      };
      signal.addEventListener('abort', onAbort);
      write(`retry: 2000\n${resync}`);
    },
    pull(controller) {
      if (!isBehind) return;
      isBehind = false;
      controller.enqueue(encoder.encode(resync));
    },
    cancel: () => stop(),
  });
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    },
  });
}

function linesFor(payload: string | null, workspaceId: string): string[] {
  if (payload === null) return [resync];
  const { workspace, tables } = Payload.parse(JSON.parse(payload));
  if (workspace !== workspaceId) return [];
  return tables.map((table) => `data: ${JSON.stringify({ table } satisfies { table: string } | Change)}\n\n`);
}
