import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

/** One webhook call, as its receiver records it. */
export type SinkCall = {
  recipient: string;
  /** `webhook-id`: identical for all attempts of one delivery. */
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  receivedAt: number;
  /** Null until the answer is sent, and permanently if the caller ends first. */
  answeredAt: number | null;
};

export type Sink = {
  /** The URL for calls to the recipient of this name. */
  urlFor(recipient: string): string;
  /** All calls, in the order of arrival. */
  calls: readonly SinkCall[];
  /** Resolves once this many calls have arrived. */
  received(count: number): Promise<void>;
  /** Calls that have arrived without an answer so far. */
  unanswered(): number;
  /** Resolves once this many calls wait for an answer. */
  waiting(count: number): Promise<void>;
  /** Calls get no answer from now on, until `release`. */
  holdRequests(): void;
  release(): void;
  close(): Promise<void>;
};

/** A local webhook receiver that records every call and answers after a delay. */
export async function startSink({ answerAfterMs = 0 }: { answerAfterMs?: number } = {}): Promise<Sink> {
  const calls: SinkCall[] = [];
  const watchers = new Set<() => void>();
  let released = Promise.withResolvers<void>();
  released.resolve();
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => null);
    // The caller ended during the request, so no call is recorded.
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
    await released.promise;
    if (request.socket.destroyed) return;
    call.answeredAt = Date.now();
    response.end('thanks');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  const url = `http://127.0.0.1:${address.port}`;

  const unanswered = () => calls.filter(({ answeredAt }) => answeredAt === null).length;

  /** Resolves once this is so; calls that arrive change it. */
  const arrivalsUntil = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      const watch = () => {
        if (!isSo()) return;
        watchers.delete(watch);
        resolve();
      };
      watchers.add(watch);
      watch();
    });

  return {
    urlFor: (recipient) => `${url}/${encodeURIComponent(recipient)}`,
    calls,
    received: (count) => arrivalsUntil(() => calls.length >= count),
    unanswered,
    waiting: (count) => arrivalsUntil(() => unanswered() >= count),
    holdRequests() {
      released = Promise.withResolvers();
    },
    release: () => released.resolve(),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
