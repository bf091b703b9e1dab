import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

/** One call of a webhook, as its receiver saw it. */
export type SinkCall = {
  recipient: string;
  /** `webhook-id`: the same for every attempt of one delivery. */
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  receivedAt: number;
  /** Null while, and for ever if, the caller did not live to hear the answer. */
  answeredAt: number | null;
};

export type Sink = {
  /** The URL under which a recipient of this name is called. */
  urlFor(recipient: string): string;
  /** Every call, in the order in which it came. */
  calls: readonly SinkCall[];
  /** Resolves once this many calls have come. */
  received(count: number): Promise<void>;
  /** Calls that came and are not answered yet. */
  unanswered(): number;
  /** From now on calls come and get no answer, until `release`. */
  hold(): void;
  release(): void;
  close(): Promise<void>;
};

/** A receiver of webhooks on this machine, which writes down every call and takes its time to answer. */
export async function startSink({ answerAfterMs = 0 }: { answerAfterMs?: number } = {}): Promise<Sink> {
  const calls: SinkCall[] = [];
  const watchers = new Set<() => void>();
  let held = Promise.withResolvers<void>();
  held.resolve();
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => null);
    // The caller died before it had said all: nobody was served by that.
    if (body === null) return;
    const call: SinkCall = {
      recipient: decodeURIComponent(request.url?.slice(1) ?? ''),
      id: String(request.headers['webhook-id'] ?? ''),
      headers: request.headers,
      body,
      receivedAt: Date.now(),
      answeredAt: null,
    };
    calls.push(call);
    for (const watch of watchers) watch();
    if (answerAfterMs > 0) await wait(answerAfterMs);
    await held.promise;
    if (request.socket.destroyed) return;
    call.answeredAt = Date.now();
    response.end('thanks');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  const url = `http://127.0.0.1:${address.port}`;

  return {
    urlFor: (recipient) => `${url}/${encodeURIComponent(recipient)}`,
    calls,
    received: (count) =>
      new Promise((resolve) => {
        const watch = () => {
          if (calls.length < count) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
    unanswered: () => calls.filter(({ answeredAt }) => answeredAt === null).length,
    hold() {
      held = Promise.withResolvers();
    },
    release: () => held.resolve(),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
