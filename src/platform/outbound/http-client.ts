import { LRUCache } from 'lru-cache';
import { type EgressGuard, portOf } from './guard.ts';
import type { Connection } from './http1/connection.ts';
import { Exchange } from './http1/exchange.ts';
import { openConnection } from './http1/open-connection.ts';
import { Origin } from './http1/origin.ts';
import type { HttpAnswer, HttpRequest, OutboundHttp } from './http.ts';
import { requestText } from './http1/request-text.ts';

/**
 * HTTP/1.1 to the outside, through the egress guard, without redirects and decompression.
 *
 * @param options.maxSockets Connections to one origin; further requests wait for one. A tenant uses at most as many as are left.
 * @param options.maxIdle Connections without a request that are kept, to all origins.
 */
export function createOutboundHttp(options: {
  guard: EgressGuard;
  maxSockets?: number;
  maxIdle?: number;
  connectTimeoutMs?: number;
  /** How often deadlines are checked. */
  checkEveryMs?: number;
}): OutboundHttp {
  const { guard, maxSockets: mostConnections = 256, maxIdle = 1_024, connectTimeoutMs: timeoutMs = 10_000 } = options;
  // Limited, because a GET webhook has its message in the URL, so that each message is another target.
  const targets = new LRUCache<string, Target>({
    max: 10_000,
    maxSize: 4_000_000,
    sizeCalculation: (_, url) => url.length + 1,
    maxEntrySize: longestKeptUrl,
  });
  const origins = new Map<string, Origin>();
  let scheduled: Origin[] = [];
  let isClosed = false;
  // One coarse timer for all: a timer and an AbortController for each request cost more than the request.
  const timer = setInterval(sweep, options.checkEveryMs ?? 250).unref();

  function request(asked: HttpRequest): Promise<HttpAnswer> {
    const { url, timeoutMs, mostBytes = usualBytes, tenant } = asked;
    if (isClosed) return Promise.resolve({ kind: 'not_sent', reason: stopping });
    let target = targets.get(url);
    if (!target) targets.set(url, (target = parseTarget(url, guard)));
    if ('refused' in target) return Promise.resolve({ kind: 'refused', reason: target.refused });
    const text = requestText(asked, target);
    if (text === null) return Promise.resolve({ kind: 'not_sent', reason: 'a header of the request is not valid' });
    const origin = originOf(target);
    return new Promise((resolve) => {
      origin.enqueue(new Exchange(text, { deadline: performance.now() + timeoutMs, mostBytes, tenant }, resolve));
    });
  }

  function originOf({ origin: name, hostname: host, port, isTls }: Extract<Target, { origin: string }>): Origin {
    const known = origins.get(name);
    if (known) return known;
    const target = { isTls, host, port, session: undefined };
    const connect = (connection: Connection) => openConnection(connection, { guard, target, timeoutMs });
    const origin = new Origin({ mostConnections, connect, schedule });
    origins.set(name, origin);
    return origin;
  }

  /** Requests of one round of the event loop are written together, after it has read what has arrived. */
  function schedule(origin: Origin): void {
    if (origin.isScheduled) return;
    origin.isScheduled = true;
    if (scheduled.push(origin) === 1) setImmediate(assign);
  }

  function assign(): void {
    const due = scheduled;
    scheduled = [];
    for (const origin of due) {
      origin.isScheduled = false;
      origin.assign();
    }
  }

  function sweep(): void {
    const now = performance.now();
    for (const [name, origin] of origins) {
      origin.sweep(now);
      if (origin.isEmpty) origins.delete(name);
    }
    closeSurplus();
  }

  /** Closes idle connections beyond `maxIdle`: servers choose how long theirs are kept, and many hosts must not use up the process's files. */
  function closeSurplus(): void {
    let surplus = -maxIdle;
    for (const { idle } of origins.values()) surplus += idle.length;
    if (surplus <= 0) return;
    const idle = [...origins.values()].flatMap((origin) => origin.idle);
    const longestFirst = idle.toSorted((a, b) => a.idleSince - b.idleSince);
    for (const connection of longestFirst.slice(0, surplus)) connection.close();
  }

  async function close(): Promise<void> {
    isClosed = true;
    clearInterval(timer);
    for (const origin of origins.values()) origin.close(stopping);
    origins.clear();
  }

  return { request, close };
}

const usualBytes = 16 * 1024;
const longestKeptUrl = 4_000;
const stopping = 'Cuebird was stopping';

type Target =
  | { origin: string; isTls: boolean; host: string; hostname: string; port: number; path: string }
  | { refused: string };

function parseTarget(text: string, guard: EgressGuard): Target {
  const url = URL.parse(text);
  if (!url) return { refused: `“${text}” is not a URL.` };
  const problem = guard.urlProblem(url);
  if (problem) return { refused: problem };
  return {
    origin: url.origin,
    isTls: url.protocol === 'https:',
    host: url.host,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: portOf(url),
    path: url.pathname + url.search,
  };
}
