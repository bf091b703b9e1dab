import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Envelope, Network } from '#delivery/adapter.ts';
import { createSmtpPools } from '#delivery/email/smtp-pools.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import { createOutboundHttp } from '#platform/outbound/http-client.ts';
import { closeServers, deafPort, onClose, tcpServer } from '#testing/tcp-server.ts';
import { adapter as webhook } from './http.adapter.ts';

const now = Temporal.Instant.from('2026-11-20T08:00:00Z');
const guard = createEgressGuard({ allow: ['127.0.0.0/8'], exact: () => [] });
const network: Network = {
  http: createOutboundHttp({ guard, checkEveryMs: 10, connectTimeoutMs: 200 }),
  smtp: createSmtpPools({ guard }),
  now: () => now,
};
afterEach(closeServers);
afterAll(() => network.http.close());

const envelope: Envelope = {
  delivery_id: '019a9d3e-0000-7000-8000-000000000001',
  workspace_id: '019a9d3e-0000-7000-8000-000000000002',
  job_id: '019a9d3e-0000-7000-8000-000000000003',
  reminder_id: '019a9d3e-0000-7000-8000-000000000004',
  name: 'Rent',
  scheduled_for: '2026-11-20T08:00:00Z',
  attempt: 1,
  channel: 'webhook',
  recipient: 'ann@example.com',
  recipient_name: null,
  subject: 'Rent is due',
  message: 'Pay',
  is_test: false,
};

/** Sends to a server that does this once a whole request has arrived, with a timeout of one second. */
async function sendTo(onRequest: (socket: Socket, count: number) => void) {
  const server = await receiverThat(onRequest);
  return { ...server, outcome: await sendOnce(server.port) };
}

function sendOnce(port: number, { timeout = 1 } = {}) {
  const config = webhook.shape.parse({ url: `http://127.0.0.1:${port}/hook`, timeout });
  return webhook.send(envelope, { config, network });
}

async function receiverThat(onRequest: (socket: Socket, count: number) => void) {
  const seen = { requests: 0, connections: 0 };
  const { port } = await tcpServer((socket) => {
    seen.connections += 1;
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
      const bodyAt = text.indexOf('\r\n\r\n') + 4;
      if (bodyAt < 4 || text.length < bodyAt + length) return;
      text = '';
      seen.requests += 1;
      onRequest(socket, seen.requests);
    });
  });
  return { port, seen };
}

const answer = (status: string, { headers = '', body = '' } = {}) =>
  `HTTP/1.1 ${status}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;

const noAnswer = { outcome: 'unknown', reason: 'Sent, but not answered: no answer in time' };

describe('a webhook whose receiver has too many requests', () => {
  it.each([
    ['seconds', 'Retry-After: 90\r\n', { retryAfterMs: 90_000 }],
    ['a date', 'Retry-After: Fri, 20 Nov 2026 08:05:00 GMT\r\n', { retryAfterMs: 300_000 }],
    ['a date that has passed', 'Retry-After: Fri, 20 Nov 2026 07:00:00 GMT\r\n', { retryAfterMs: 0 }],
    ['more than a day', 'Retry-After: 999999999\r\n', { retryAfterMs: 86_400_000 }],
    ['a date in a hundred years', 'Retry-After: Thu, 20 Nov 2126 08:05:00 GMT\r\n', { retryAfterMs: 86_400_000 }],
    ['nonsense', 'Retry-After: soon\r\n', {}],
    ['less than nothing', 'Retry-After: -120\r\n', {}],
    ['a number without end', `Retry-After: ${'9'.repeat(400)}\r\n`, {}],
    ['nothing', '', {}],
    ['two values, of which the first counts', 'Retry-After: 5\r\nRetry-After: 7000\r\n', { retryAfterMs: 5_000 }],
  ])('and asks for %s is tried again then', async (_, headers, expected) => {
    for (const status of ['429 Too Many Requests', '503 Service Unavailable']) {
      const { outcome } = await sendTo((socket) => void socket.write(answer(status, { headers, body: 'busy' })));
      const reason = `HTTP ${status.slice(0, 3)}`;
      expect(outcome).toEqual({ outcome: 'failed', permanent: false, reason, answer: `${reason}: busy`, ...expected });
    }
  });
});

describe('a webhook whose receiver hangs', () => {
  it('before it accepts the connection was not sent', async () => {
    expect(await sendOnce(await deafPort())).toEqual({
      outcome: 'failed',
      permanent: false,
      code: 'unreachable',
      reason: 'Not sent: no connection within 0.2 s',
    });
  });

  it.each([
    ['sends nothing', (socket: Socket) => void socket],
    ['stops within its headers', (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\nX-A')],
    ['sends its headers byte by byte', (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-A: ')],
    ['sends 100 Continue without end', (socket: Socket) => drip(socket, '', 'HTTP/1.1 100 Continue\r\n\r\n')],
    [
      'sends informational responses without end',
      (socket: Socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
    ],
  ])('and %s is unknown when its second is over', async (_, misbehave) => {
    const { outcome } = await sendTo(misbehave);
    expect(outcome).toEqual(noAnswer);
  });

  it.each([
    ['stops within its body', (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nxx')],
    [
      'sends its body byte by byte',
      (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\nxx'),
    ],
  ])('and %s has still accepted it', async (_, misbehave) => {
    const { outcome } = await sendTo(misbehave);
    expect(outcome).toMatchObject({ outcome: 'accepted', answer: expect.stringMatching(/^HTTP 200: xx/) });
  });
});

describe('a webhook whose receiver breaks the connection', () => {
  it.each([
    ['before its answer', (socket: Socket) => void socket.resetAndDestroy()],
    ['within its headers', (socket: Socket) => hangUpAfter(socket, 'HTTP/1.1 200 OK\r\nContent-')],
    ['after an informational response', (socket: Socket) => hangUpAfter(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  ])('%s is unknown', async (_, misbehave) => {
    const { outcome } = await sendTo(misbehave);
    expect(outcome).toEqual({ outcome: 'unknown', reason: 'Sent, but not answered: the server closed the connection' });
  });

  it.each([
    ['after its answer', answer('200 OK', { body: 'thanks' }), 'HTTP 200: thanks'],
    ['within its body', 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nthanks', 'HTTP 200: thanks'],
  ])('%s is accepted', async (_, said, words) => {
    const { outcome } = await sendTo((socket) => hangUpAfter(socket, said));
    expect(outcome).toEqual({ outcome: 'accepted', receipt: envelope.delivery_id, answer: words });
  });
});

describe('a webhook whose receiver answers in its own way', () => {
  it.each(['301 Moved', '302 Found', '303 See Other', '307 Temporary', '308 Permanent'])(
    'by %s is not followed, and says so',
    async (status) => {
      const { outcome, seen } = await sendTo(
        (socket) => void socket.write(answer(status, { headers: 'Location: /elsewhere\r\n' })),
      );
      const reason = `HTTP ${status.slice(0, 3)}: redirects are not followed`;
      expect(outcome).toEqual({ outcome: 'failed', permanent: true, reason });
      expect(seen.requests).toBe(1);
    },
  );

  it.each(['100 Continue', '102 Processing', '103 Early Hints'])('first by %s is read to the end', async (early) => {
    const { outcome } = await sendTo(
      (socket) => void socket.write(`HTTP/1.1 ${early}\r\nX-A: 1\r\n\r\n${answer('200 OK', { body: 'thanks' })}`),
    );
    expect(outcome).toMatchObject({ outcome: 'accepted', answer: 'HTTP 200: thanks' });
  });

  it('first by several of those, each on its own, is read to the end', async () => {
    const { outcome, port } = await sendTo((socket) => {
      const said = [
        'HTTP/1.1 100 Continue\r\n\r\n',
        'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n',
        answer('200 OK', { body: 'HTTP/1.1 100 per cent' }),
      ];
      const next = () => {
        const words = said.shift();
        if (words !== undefined) socket.write(words, () => setImmediate(next));
      };
      next();
    });
    expect(outcome).toMatchObject({ outcome: 'accepted', answer: 'HTTP 200: HTTP/1.1 100 per cent' });
    expect(await sendOnce(port)).toMatchObject({ outcome: 'accepted' });
  });

  it.each([
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
    ['no HTTP', '250 OK\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc'],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n',
    ],
  ])('with %s is unknown', async (_, said) => {
    const { outcome } = await sendTo((socket) => void socket.write(said));
    expect(outcome).toHaveProperty('outcome', 'unknown');
  });

  it('twice is read once, and the second response is discarded', async () => {
    const first = answer('200 OK', { body: 'first' }) + answer('500 No', { body: 'second' });
    const { outcome, port, seen } = await sendTo(
      (socket, count) => void socket.write(count === 1 ? first : answer('200 OK', { body: 'next' })),
    );
    expect(outcome).toMatchObject({ outcome: 'accepted', answer: 'HTTP 200: first' });
    expect(await sendOnce(port)).toMatchObject({ outcome: 'accepted', answer: 'HTTP 200: next' });
    expect(seen).toEqual({ requests: 2, connections: 2 });
  });
});

describe('a webhook whose response is too large', () => {
  it.each([
    ['endless', 60, `HTTP 200: ${'x'.repeat(500)}`],
    ['a compressed gigabyte', 60, 'HTTP 200'],
    // It is read until its time is over.
    ['endless before its first byte', 3, 'HTTP 200'],
  ])('because it is %s costs no memory', async (kind, timeout, words) => {
    const port = await floodingPort(kind);
    await sendOnce(port, { timeout });
    collectGarbage();
    const before = bufferedBytes();
    let peak = 0;
    const watch = setInterval(() => {
      collectGarbage();
      peak = Math.max(peak, bufferedBytes());
    }, 50);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => sendOnce(port, { timeout })));
    clearInterval(watch);
    await untilReleased(before + kept);
    for (const one of outcomes) expect(one).toMatchObject({ outcome: 'accepted', answer: words });
    // Gigabytes are offered. Twenty requests at once may hold what their sockets have just read, and nothing more.
    expect(peak - before).toBeLessThan(96 * 1024 * 1024);
    expect(bufferedBytes() - before).toBeLessThan(kept);
  });
});

describe('a webhook that has its message in the URL', () => {
  const config = webhook.shape.parse({ url: 'http://10.0.0.1/hook', method: 'GET', secret: 's'.repeat(24) });

  it.each([
    ['sent', async (one: Envelope) => void (await webhook.send(one, { config, network }))],
    ['shown', async (one: Envelope) => void webhook.show?.(one, { config, now })],
  ])('costs no memory once it is %s', async (name, use) => {
    collectGarbage();
    const before = bufferedBytes();
    for (let n = 0; n < 200; n += 1) await use({ ...envelope, message: `${name} ${n}`.padEnd(100_000, '.') });
    await untilReleased(before + kept);
    expect(bufferedBytes() - before).toBeLessThan(kept);
  });
});

const kept = 4 * 1024 * 1024;

/** Destroyed sockets release their buffers some event-loop ticks later. */
async function untilReleased(bytes: number): Promise<void> {
  for (let round = 0; round < 100; round += 1) {
    collectGarbage();
    if (bufferedBytes() < bytes) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function bufferedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function drip(socket: Socket, first: string, more = 'x'): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(more), 20);
  socket.once('close', () => clearInterval(timer));
}

function hangUpAfter(socket: Socket, said: string): void {
  // The bytes are sent before the connection is reset.
  socket.write(said, () => setImmediate(() => socket.destroy()));
}

/** A server in a thread of its own, whose memory is not measured. It writes as fast as it is read. */
async function floodingPort(kind: string): Promise<number> {
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     const { createGzip } = require('node:zlib');
     const { Readable, pipeline } = require('node:stream');
     const block = Buffer.alloc(64 * 1024, 120);
     const zeros = function* () { for (let n = 0; n < 16384; n++) yield Buffer.alloc(64 * 1024); };
     const flood = (socket) => { while (!socket.destroyed && socket.write(block)); if (!socket.destroyed) socket.once('drain', () => flood(socket)); };
     const server = require('node:net').createServer((socket) => {
       socket.on('error', () => undefined);
       socket.once('data', () => {
         if (workerData === 'a compressed gigabyte') {
           socket.write('HTTP/1.1 200 OK\\r\\nContent-Encoding: gzip\\r\\nConnection: close\\r\\n\\r\\n');
           pipeline(Readable.from(zeros()), createGzip(), socket, () => undefined);
           return;
         }
         // The extension of a chunk never ends.
         const isChunked = workerData !== 'endless';
         socket.write(isChunked ? 'HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n5;a=' : 'HTTP/1.1 200 OK\\r\\nConnection: close\\r\\n\\r\\n');
         flood(socket);
       });
     }).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
    { eval: true, workerData: kind },
  );
  onClose(() => void worker.terminate());
  const [port] = await once(worker, 'message');
  return port;
}
