import { z } from 'zod';
import type { Change } from '#contract/realtime.ts';
import type { PubSub } from '#platform/pubsub.ts';

const Payload = z.object({ workspace: z.uuid(), tables: z.array(z.string()) });

const heartbeatMs = 25_000;

/** The lifetime of a stream in heartbeats: the client then reconnects and is authorized again. */
const maxHeartbeats = 144;

/** The most lines that are buffered for a reader. */
const queueLimit = 1_000;

const resync = 'event: resync\ndata: {}\n\n';

/** The reason of a signal whose reader has lost access: it is told before the stream ends. */
export const accessEnded = new Error('the access of the reader has ended');

const accessEndedEvent = 'event: access_ended\ndata: {}\n\n';

/**
 * Server-sent events of one workspace: `data: {"table":"jobs"}` when something of that table changed, `event: resync` when
 * anything may have, `event: access_ended` as the last one where the reader lost access, a comment every 25 s so that proxies keep the line open. It lasts an hour.
 * @param stream.signal ends it
 * @param stream.onEnd is called once, whoever ends it
 */
export function streamChanges(
  pubsub: Pick<PubSub, 'subscribe'>,
  { workspaceId, signal, onEnd = () => {} }: { workspaceId: string; signal: AbortSignal; onEnd?: () => void },
): Response {
  const encoder = new TextEncoder();
  let stop = () => {};
  let heartbeats = 0;
  let isBehind = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        // A slow client gets one resync when it is ready again, instead of an unbounded queue.
        isBehind ||= (controller.desiredSize ?? 0) < -queueLimit;
        if (!isBehind) controller.enqueue(encoder.encode(text));
      };
      const unsubscribe = pubsub.subscribe('cuebird_changes', (payload) => {
        for (const line of linesFor(payload, workspaceId)) write(line);
      });
      const heartbeat = setInterval(() => {
        heartbeats += 1;
        if (heartbeats === maxHeartbeats) end();
        else write(': still here\n\n');
      }, heartbeatMs);
      stop = () => {
        clearInterval(heartbeat);
        unsubscribe();
        signal.removeEventListener('abort', end);
        onEnd();
      };
      const end = () => {
        stop();
        if (signal.reason === accessEnded) controller.enqueue(encoder.encode(accessEndedEvent));
        controller.close();
      };
      write(`retry: 2000\n${resync}`);
      if (signal.aborted) end();
      else signal.addEventListener('abort', end);
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
