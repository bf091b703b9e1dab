import { LRUCache } from 'lru-cache';
import { Agent, buildConnector } from 'undici';
import { Exchange } from './exchange.ts';
import type { EgressGuard } from './guard.ts';
import { openSocket } from './socket.ts';
import { ignoreContinue } from './unasked-continue.ts';

export type HttpRequest = {
  /** An http or https URL. Never followed elsewhere. */
  url: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Name, value, name, value: the fastest form, and each name as it shall appear. */
  headers: string[];
  body?: string | Buffer;
  /** For the whole exchange, from waiting for a connection to the last byte kept, in steps of a quarter second. */
  timeoutMs: number;
  /** The most of the answer's body that is kept; 16 KB by default. */
  mostBytes?: number;
};

/** The outcome of a request. Network faults are outcomes too; nothing is thrown for them. */
export type HttpAnswer =
  /** The server answered. `body` holds at most `mostBytes`; `isComplete` is false when it was longer or broke off. */
  | {
      kind: 'answer';
      status: number;
      headers: Readonly<Record<string, string | string[] | undefined>>;
      body: string;
      isComplete: boolean;
    }
  /** Nothing was sent: no DNS answer, no connection, no TLS, or no time left before any of it. */
  | { kind: 'not_sent'; reason: string }
  /** The egress guard refused the address. */
  | { kind: 'refused'; reason: string }
  /** The connection failed after the request may have been read: the server may or may not have acted on it. */
  | { kind: 'lost'; reason: string };

export type OutboundHttp = {
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** Closes at once: requests in flight end as lost or not sent. */
  close(): Promise<void>;
};

/**
 * HTTP to the outside, through the egress guard, without redirects and decompression.
 *
 * @param options.maxSockets Connections to one origin; further requests wait for one.
 */
export function createOutboundHttp(options: {
  guard: EgressGuard;
  maxSockets?: number;
  connectTimeoutMs?: number;
  /** How often deadlines are checked. */
  checkEveryMs?: number;
}): OutboundHttp {
  const agent = createAgent(options);
  const targets = new LRUCache<string, Target>({ max: 10_000 });
  const inFlight = new Set<Exchange>();
  // One coarse timer for all: a timer and an AbortController for each request cost more than the request.
  const timer = setInterval(() => expireOverdue(inFlight), options.checkEveryMs ?? 250).unref();

  function request({ url, method, headers, body, timeoutMs, mostBytes }: HttpRequest): Promise<HttpAnswer> {
    let target = targets.get(url);
    if (!target) targets.set(url, (target = parseTarget(url, options.guard)));
    if ('refused' in target) return Promise.resolve({ kind: 'refused', reason: target.refused });
    const { origin, path } = target;
    return new Promise((resolve) => {
      const settle = (settled: Exchange, answer: HttpAnswer) => {
        inFlight.delete(settled);
        resolve(answer);
      };
      const exchange = new Exchange({ deadline: performance.now() + timeoutMs, mostBytes }, settle);
      inFlight.add(exchange);
      agent.dispatch({ origin, path, method, headers, body: body ?? null }, exchange);
    });
  }

  async function close(): Promise<void> {
    clearInterval(timer);
    for (const exchange of inFlight) exchange.expire('Cuebird was stopping');
    await agent.destroy();
  }

  return { request, close };
}

type Target = { origin: string; path: string } | { refused: string };

function parseTarget(text: string, guard: EgressGuard): Target {
  const url = URL.parse(text);
  if (!url) return { refused: `“${text}” is not a URL.` };
  const problem = guard.urlProblem(url);
  return problem ? { refused: problem } : { origin: url.origin, path: url.pathname + url.search };
}

function createAgent(options: { guard: EgressGuard; maxSockets?: number; connectTimeoutMs?: number }): Agent {
  const timeoutMs = options.connectTimeoutMs ?? 10_000;
  const upgradeToTls = buildConnector({ timeout: timeoutMs, allowH2: false });
  return new Agent({
    connections: options.maxSockets ?? 128,
    pipelining: 1,
    allowH2: false,
    // The deadline of each exchange replaces both time-outs.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(target, callback) {
      const isTls = target.protocol === 'https:';
      const port = target.port ? Number(target.port) : isTls ? 443 : 80;
      const ready: typeof callback = (...[error, socket]) =>
        error === null ? callback(null, ignoreContinue(socket)) : callback(error, null);
      openSocket({ guard: options.guard, host: target.hostname, port, timeoutMs }).then(
        (socket) => (isTls ? upgradeToTls({ ...target, httpSocket: socket }, ready) : ready(null, socket)),
        (error: Error) => callback(error, null),
      );
    },
  });
}

function expireOverdue(inFlight: Set<Exchange>): void {
  const now = performance.now();
  for (const exchange of inFlight) {
    if (exchange.deadline <= now) exchange.expire('no answer in time');
  }
}
