import { resync, type WorkspaceChanges } from './workspace-changes.ts';

const heartbeatMs = 25_000;

/** The lifetime of a stream in heartbeats: the client then reconnects and is authorized again. */
const maxHeartbeats = 144;

/** The most lines that are buffered for a reader. */
const queueLimit = 1_000;

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
  changes: WorkspaceChanges,
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
      const unsubscribe = changes.subscribe(workspaceId, (lines) => {
        for (const line of lines) write(line);
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
