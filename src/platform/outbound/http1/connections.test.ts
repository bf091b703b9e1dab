import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { closeServers, onClose, tcpServer } from '#testing/tcp-server.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import { createOutboundHttp } from '#platform/outbound/http-client.ts';
import { selfSigned } from '#platform/outbound/self-signed.fixture.ts';
import { ok, sender } from '#testing/http-sender.ts';

afterEach(closeServers);

describe('a connection', () => {
  it('is used again, and not before the server had time to close it', async () => {
    const { send, seen, sockets } = await sender((socket, { count }) => {
      socket.write(ok(`${count}`));
      if (count % 2 === 0) socket.end();
    });
    for (let n = 1; n <= 20; n += 1) expect(await send()).toMatchObject({ kind: 'answer', body: `${n}` });
    expect(seen).toHaveLength(20);
    expect(sockets.length).toBeLessThanOrEqual(20);
  });

  it('that the server closed while it was idle is not used: the request is sent once, over another', async () => {
    const { send, seen, sockets } = await sender((socket, { count }) => void socket.write(ok(`${count}`)));
    await send();
    const closed = once(sockets[0]!, 'close');
    sockets[0]!.end();
    await closed;
    expect(await send()).toMatchObject({ kind: 'answer', body: '2' });
    expect(seen).toHaveLength(2);
    expect(sockets).toHaveLength(2);
  });

  it('that is closed after a byte was written has lost its request, which is never sent again', async () => {
    const { send, seen, sockets } = await sender((socket, { count }) => {
      if (count === 1) socket.write(ok('first'));
      else socket.resetAndDestroy();
    });
    await send();
    expect(await send()).toEqual({ kind: 'lost', reason: 'the server closed the connection' });
    expect(seen).toHaveLength(2);
    expect(sockets).toHaveLength(1);
  });

  it.each([
    ['in the same segment', true],
    ['later', false],
  ])('on which a second answer follows %s is closed: the next request does not read it', async (_, isSame) => {
    const { send, sockets } = await sender((socket, { count }) => {
      const forged = ok('forged');
      if (count > 1) socket.write(ok(`${count}`));
      else if (isSame) socket.write(ok('1') + forged);
      else socket.write(ok('1'), () => setImmediate(() => socket.write(forged)));
    });
    expect(await send()).toMatchObject({ body: '1', isComplete: true });
    if (!isSame) await once(sockets[0]!, 'close');
    expect(await send()).toMatchObject({ body: '2' });
    expect(sockets).toHaveLength(2);
  });

  it.each([
    ['Connection: close', 'Connection: close\r\n'],
    ['Connection: x, Close', 'Connection: x, Close\r\n'],
    ['a hint of a second', 'Keep-Alive: timeout=1\r\n'],
  ])('is not used again after %s', async (_, header) => {
    const { send, sockets } = await sender((socket) => void socket.write(ok('', header)));
    for (let n = 0; n < 3; n += 1) expect(await send()).toHaveProperty('status', 200);
    expect(sockets).toHaveLength(3);
  });

  it('is closed when it was idle for as long as the server keeps it, less a margin', async () => {
    const { send, sockets } = await sender((socket) => void socket.write(ok('', 'Keep-Alive: timeout=3\r\n')));
    await send();
    await once(sockets[0]!, 'close');
    expect(await send()).toHaveProperty('status', 200);
    expect(sockets).toHaveLength(2);
  });

  it('that was idle for longest is closed when those to all origins are more than allowed', async () => {
    const guard = createEgressGuard({ allow: ['127.0.0.0/8'], exact: () => [] });
    const http = createOutboundHttp({ guard, maxIdle: 2, checkEveryMs: 10 });
    onClose(() => void http.close());
    const isOpen: boolean[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { port } = await tcpServer((socket) => {
        isOpen[n] = true;
        socket
          .on('data', () => socket.write(ok('', 'Keep-Alive: timeout=600\r\n')))
          .on('close', () => (isOpen[n] = false));
      });
      const url = `http://127.0.0.1:${port}/`;
      expect(await http.request({ url, method: 'POST', headers: [], timeoutMs: 30_000 })).toHaveProperty('status', 200);
    }
    await expect.poll(() => isOpen).toEqual([false, false, false, true, true]);
  });

  it('is not used again when the answer came before the end of its request', async () => {
    const { send, http, url, sockets } = await sender(() => {}, {
      onConnection: (socket) => {
        socket.once('data', () => {
          socket.pause();
          socket.write(ok('early'));
        });
      },
    });
    const body = 'x'.repeat(20_000_000);
    for (let n = 0; n < 2; n += 1)
      expect(await http.request({ url, method: 'POST', headers: [], body, timeoutMs: 30_000 })).toMatchObject({
        body: 'early',
      });
    expect(sockets).toHaveLength(2);
    expect(await send()).toMatchObject({ body: 'early' });
  });

  it('that is accepted and closed at once is not tried again and again', async () => {
    const { send, sockets } = await sender(() => {}, { onConnection: (socket) => void socket.resetAndDestroy() });
    expect(['lost', 'not_sent']).toContain((await send()).kind);
    expect(sockets).toHaveLength(1);
  });

  it('on which the server speaks first has lost its request', async () => {
    const { send } = await sender(() => {}, {
      onConnection: (socket) => void socket.write('220 mail.example ESMTP\r\n'),
    });
    expect(await send()).toEqual({ kind: 'lost', reason: 'the answer is not valid HTTP/1.1' });
  });

  it('over TLS resumes the session of the one before', async () => {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, selfSigned.cert]);
    onClose(() => setDefaultCACertificates(before));
    const isReused: boolean[] = [];
    const server = createHttpsServer(selfSigned, (request, response) => {
      isReused.push((request.socket as TLSSocket).isSessionReused());
      response.writeHead(200, { connection: 'close' }).end('secret');
    });
    onClose(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { http } = await sender(() => {});
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    for (let n = 0; n < 2; n += 1)
      expect(await http.request({ url, method: 'POST', headers: [], body: 'x', timeoutMs: 30_000 })).toMatchObject({
        body: 'secret',
      });
    expect(isReused).toEqual([false, true]);
  });
});

describe('requests to one origin', () => {
  it('are sent in the order in which they came, over no more connections than allowed', async () => {
    const { send, seen, sockets } = await sender((socket) => void setImmediate(() => socket.write(ok('x'))), {
      maxSockets: 3,
    });
    const numbers = Array.from({ length: 60 }, (_, n) => n);
    await Promise.all(numbers.map((n) => send({ headers: ['x-number', String(n)] })));
    expect(sockets).toHaveLength(3);
    const order = seen.map((text) => Number(/x-number: (\d+)/.exec(text)?.[1]));
    for (const [at, n] of order.entries()) expect(Math.abs(n - at)).toBeLessThan(3);
  });

  it('wait ten thousand at most; one more is not sent', async () => {
    const { send, http, seen } = await sender(() => {}, { maxSockets: 1 });
    const waiting = Array.from({ length: 10_000 }, () => send());
    expect(await send()).toEqual({ kind: 'not_sent', reason: 'too many requests wait for this server' });
    await expect.poll(() => seen.length).toBe(1);
    await http.close();
    const ends = await Promise.all(waiting);
    expect(ends.filter(({ kind }) => kind === 'lost')).toHaveLength(1);
    expect(ends.filter(({ kind }) => kind === 'not_sent')).toHaveLength(9_999);
  });

  it('whose time is over leave the line, and nothing of them is written', async () => {
    const answers: (() => void)[] = [];
    const { send, seen } = await sender((socket) => void answers.push(() => socket.write(ok('x'))), { maxSockets: 1 });
    const first = send();
    const second = send({ timeoutMs: 30, headers: ['x-second', 'yes'] });
    expect(await second).toEqual({ kind: 'not_sent', reason: 'no answer in time' });
    const third = send();
    answers[0]!();
    expect(await first).toMatchObject({ kind: 'answer', body: 'x' });
    await expect.poll(() => answers.length).toBe(2);
    answers[1]!();
    expect(await third).toHaveProperty('kind', 'answer');
    expect(seen.join('')).not.toContain('x-second');
  });

  it('are not sent once the sender is closed', async () => {
    const { send, http } = await sender((socket) => void socket.write(ok('x')));
    await send();
    await http.close();
    expect(await send()).toEqual({ kind: 'not_sent', reason: 'Cuebird was stopping' });
  });
});

describe('connections to one server', () => {
  it('are shared: requests of one tenant that hang leave some to the others', async () => {
    const hanging: Socket[] = [];
    const { send, seen } = await sender(
      (socket, { text }) => void (text.includes('hangs') ? hanging.push(socket) : socket.write(ok('served'))),
      { maxSockets: 8 },
    );
    const slow = Array.from({ length: 20 }, () => send({ tenant: 'one', body: 'hangs end' }));
    await expect.poll(() => hanging.length).toBe(4);
    for (let n = 0; n < 10; n += 1) expect(await send({ tenant: `other ${n}` })).toHaveProperty('body', 'served');
    expect(await Promise.all([send({ tenant: 'two' }), send({ tenant: 'two' }), send()])).toMatchObject([
      { body: 'served' },
      { body: 'served' },
      { body: 'served' },
    ]);
    while (seen.length < 20 + 13 || hanging.length > 0) {
      hanging.shift()?.write(ok('late'));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await Promise.all(slow)).map((answer) => answer.kind)).toEqual(slow.map(() => 'answer'));
  });

  it('keep at most 2,000 requests of one tenant waiting', async () => {
    const { send, http } = await sender(() => {}, { maxSockets: 2 });
    const waiting = Array.from({ length: 2_010 }, () => send({ tenant: 'one' }));
    expect(await Promise.race(waiting)).toEqual({ kind: 'not_sent', reason: 'too many requests wait for this server' });
    void http.close();
    const answers = await Promise.all(waiting);
    expect(answers.filter((answer) => 'reason' in answer && answer.reason.includes('too many'))).toHaveLength(10);
  });
});
