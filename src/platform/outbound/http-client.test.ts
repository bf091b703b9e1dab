import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeServers, deafPort } from '#testing/tcp-server.ts';
import { createEgressGuard } from './guard.ts';
import type { OutboundHttp } from './http.ts';
import { createOutboundHttp } from './http-client.ts';
import { selfSigned } from './self-signed.fixture.ts';

const open: (() => void)[] = [];
let http: OutboundHttp;

beforeEach(() => {
  http = createOutboundHttp({
    guard: createEgressGuard({
      allow: ['127.0.0.0/8'],
      exact: () => [],
      resolve: async (name) => {
        if (name === 'here.example') return ['127.0.0.1'];
        if (name === 'mixed.example') return ['127.0.0.1', '10.0.0.1'];
        if (name === 'exhausted.example') throw Object.assign(new Error('socket EMFILE'), { code: 'EMFILE' });
        throw Object.assign(new Error(`queryA ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
      },
    }),
    connectTimeoutMs: 200,
    checkEveryMs: 10,
  });
});

afterEach(async () => {
  await http.close();
  for (const close of open.splice(0)) close();
  closeServers();
});

describe('an outgoing request', () => {
  it('arrives with its headers and body and brings the answer', async () => {
    const { url, seen } = await serve((request, response) => {
      response
        .writeHead(202, { 'X-Request-Id': 'r-1' })
        .end(`${request.method} ${String(request.headers['x-custom'])}`);
    });
    const answer = await post(`${url}/a?b=c`, { headers: ['X-Custom', 'yes'], body: 'hello' });
    expect(answer).toMatchObject({ kind: 'answer', status: 202, body: 'POST yes', isComplete: true });
    expect(answer).toHaveProperty('headers.x-request-id', 'r-1');
    expect(seen).toEqual([{ path: '/a?b=c', body: 'hello' }]);
  });

  it('reaches a host by name through the checked answers', async () => {
    const { port } = await serve((_request, response) => response.end('named'));
    expect(await post(`http://here.example:${port}/`)).toMatchObject({ kind: 'answer', body: 'named' });
  });

  it('says when this machine had no means to connect, which is no fault of the other side', async () => {
    expect(await post('http://exhausted.example/')).toEqual({
      kind: 'not_sent',
      reason: 'this process has no file left to open',
      isOwnFault: true,
    });
    expect(await post('http://nowhere.example/')).not.toHaveProperty('isOwnFault');
  });

  it('speaks TLS where the certificate is for that address', async () => {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, selfSigned.cert]);
    open.push(() => setDefaultCACertificates(before));
    const { port } = await started(createHttpsServer(selfSigned, (_request, response) => response.end('secret')));
    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({ kind: 'answer', body: 'secret' });
    expect(await post(`https://here.example:${port}/`)).toEqual({
      kind: 'not_sent',
      reason: 'TLS: the server’s certificate is for another name',
    });
  });

  it('uses its connections again', async () => {
    const ports = new Set<number | undefined>();
    const { url } = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end();
    });
    for (let n = 0; n < 20; n++) await post(url);
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it.each([301, 302, 307, 308])('does not follow a %i', async (status) => {
    const { url, seen } = await serve((_request, response) => {
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    expect(await post(url)).toMatchObject({ kind: 'answer', status });
    expect(seen.map(({ path }) => path)).toEqual(['/']);
  });

  it('keeps 16 KB of an endless answer and hangs up', async () => {
    const { url, closed } = await serve((_request, response) => {
      const more = () =>
        void (
          response.destroyed || (response.write('x'.repeat(60_000)) ? setImmediate(more) : response.once('drain', more))
        );
      more();
    });
    const answer = await post(url);
    expect(answer).toMatchObject({ kind: 'answer', status: 200, isComplete: false });
    expect(answer).toHaveProperty('body.length', 16 * 1024);
    await closed;
  });

  it('never unpacks a compressed answer', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(100_000)));
    });
    expect(await post(url)).toMatchObject({ kind: 'answer', status: 200, body: '', isComplete: true });
  });

  it('drops NUL characters, which the database cannot keep', async () => {
    const { url } = await serve((_request, response) => response.end('a\0b'));
    expect(await post(url)).toHaveProperty('body', 'ab');
  });

  it('takes the status as the answer when the body hangs or breaks off', async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half');
      if (request.url === '/cut') setImmediate(() => request.socket.resetAndDestroy());
    });
    const half = { kind: 'answer', status: 200, body: 'half', isComplete: false };
    expect(await post(`${url}/hang`, { timeoutMs: 60 })).toMatchObject(half);
    expect(await post(`${url}/cut`)).toMatchObject({ kind: 'answer', status: 200, isComplete: false });
  });
});

describe('an outgoing request that fails', () => {
  it('is not sent when nobody listens', async () => {
    const { url, stop } = await listen(() => undefined);
    await stop();
    expect(await post(url)).toEqual({ kind: 'not_sent', reason: 'the server refused the connection' });
  });

  it('is not sent when the name does not exist', async () => {
    expect(await post('http://nowhere.example/')).toEqual({
      kind: 'not_sent',
      reason: 'the server’s name could not be found',
    });
  });

  it('is not sent when the connection takes too long', async () => {
    const port = await deafPort();
    expect(await post(`http://127.0.0.1:${port}/`)).toEqual({ kind: 'not_sent', reason: 'no connection within 0.2 s' });
  });

  it('is not sent when the server does not speak TLS', async () => {
    const { url } = await serve((_request, response) => response.end());
    expect(await post(url.replace('http:', 'https:'))).toEqual({
      kind: 'not_sent',
      reason: 'TLS: the server does not support it on this port',
    });
  });

  it('is not sent when the certificate is not to be trusted', async () => {
    const server = createHttpsServer(selfSigned, (_request, response) => response.end());
    const { port } = await started(server);
    expect(await post(`https://127.0.0.1:${port}/`)).toEqual({
      kind: 'not_sent',
      reason: 'TLS: the server’s certificate is self-signed',
    });
  });

  it('is not sent when the server ends TLS, and the reason names no part of this process', async () => {
    const handshakeFailure = Buffer.from([21, 3, 3, 0, 2, 2, 40]);
    const { url } = await listen((socket) => void socket.write(handshakeFailure));
    expect(await post(url.replace('http:', 'https:'))).toEqual({
      kind: 'not_sent',
      reason: 'TLS: ssl/tls alert handshake failure',
    });
  });

  it('is refused without the address behind a name', async () => {
    expect(await post('http://mixed.example/')).toEqual({
      kind: 'refused',
      reason: 'mixed.example leads to an address that Cuebird does not connect to.',
    });
  });

  it('is not sent to a port of another protocol, also where somebody listens there', async () => {
    expect(await post('http://here.example:6667/')).toEqual({
      kind: 'refused',
      reason: 'Port 6667 belongs to another protocol: no web address may name it',
    });
  });

  it('is not sent when TLS hangs', async () => {
    const { url } = await listen(() => undefined);
    expect(await post(url.replace('http:', 'https:'))).toHaveProperty('kind', 'not_sent');
  });

  it('is not sent when its time is up before a connection is free', async () => {
    const { url, connections } = await listen(() => undefined);
    const one = createOutboundHttp({
      guard: createEgressGuard({ allow: ['127.0.0.0/8'], exact: () => [] }),
      maxSockets: 1,
      checkEveryMs: 10,
    });
    const first = one.request({ url, method: 'POST', headers: [], body: 'first', timeoutMs: 150 });
    const second = one.request({ url, method: 'POST', headers: [], body: 'second', timeoutMs: 50 });
    expect(await second).toEqual({ kind: 'not_sent', reason: 'no answer in time' });
    expect(await first).toEqual({ kind: 'lost', reason: 'no answer in time' });
    expect(Buffer.concat(connections.map(({ bytes }) => bytes)).toString()).not.toContain('second');
    await one.close();
  });

  it('is lost when the server reads it and says nothing', async () => {
    const { url } = await listen(() => undefined);
    expect(await post(url, { timeoutMs: 60 })).toEqual({ kind: 'lost', reason: 'no answer in time' });
  });

  it('is lost when the server reads it and resets the connection', async () => {
    const { url } = await listen((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await post(url)).toEqual({ kind: 'lost', reason: 'the server closed the connection' });
  });

  it('is lost when the server reads it and closes the connection', async () => {
    const { url } = await listen((socket) => socket.once('data', () => socket.end()));
    expect(await post(url)).toEqual({ kind: 'lost', reason: 'the server closed the connection' });
  });

  it('is lost when the answer is not HTTP', async () => {
    const { url } = await listen((socket) => socket.once('data', () => socket.end('220 mail.example ESMTP\r\n')));
    expect(await post(url)).toHaveProperty('kind', 'lost');
  });

  it('is lost when headers never end', async () => {
    const { url } = await listen((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}`));
    });
    expect(await post(url)).toHaveProperty('kind', 'lost');
  });

  it.each([
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://2130706434.example@10.0.0.1/',
    'http://mixed.example/',
    'ftp://here.example/',
    'nonsense',
  ])('is refused to %s', async (url) => {
    expect(await post(url)).toHaveProperty('kind', 'refused');
  });

  it('is not written at all when a header would break the request', async () => {
    const { url, seen } = await serve((_request, response) => response.end());
    expect(await post(url, { headers: ['X-Bad', 'a\r\nX-Injected: b'] })).toHaveProperty('kind', 'not_sent');
    expect(seen).toEqual([]);
  });

  it('ends when Cuebird stops', async () => {
    const { url, connections } = await listen(() => undefined);
    const waiting = post(url, { timeoutMs: 60_000 });
    await expect.poll(() => connections.length).toBe(1);
    await expect.poll(() => connections[0]?.bytes.length).toBeGreaterThan(0);
    await http.close();
    expect(await waiting).toEqual({ kind: 'lost', reason: 'Cuebird was stopping' });
  });
});

function post(url: string, more: { headers?: string[]; body?: string; timeoutMs?: number } = {}) {
  return http.request({ url, method: 'POST', headers: [], body: 'x', timeoutMs: 5_000, ...more });
}

/** A real HTTP server that also notes what it was asked, and when its first connection closed. */
async function serve(handle: RequestListener) {
  const seen: { path: string | undefined; body: string }[] = [];
  const closed = Promise.withResolvers<void>();
  const server = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    seen.push({ path: request.url, body: Buffer.concat(chunks).toString() });
    handle(request, response);
  });
  server.once('connection', (socket) => socket.once('close', () => closed.resolve()));
  return { ...(await started(server)), seen, closed: closed.promise };
}

/** A bare TCP server, for answers that no HTTP server gives. */
async function listen(onConnection: (socket: Socket) => void) {
  const connections: { bytes: Buffer }[] = [];
  const server = createServer((socket) => {
    const connection = { bytes: Buffer.alloc(0) };
    connections.push(connection);
    socket
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        connection.bytes = Buffer.concat([connection.bytes, chunk]);
      });
    onConnection(socket);
  });
  return { ...(await started(server)), connections };
}

async function started(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = boundAddress(server);
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await once(server.close(), 'close');
  };
  open.push(() => void stop());
  return { port, url: `http://127.0.0.1:${port}`, stop };
}

function boundAddress(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on TCP');
  return address;
}
