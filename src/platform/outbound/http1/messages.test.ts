import { afterEach, describe, expect, it } from 'vitest';
import { closeServers } from '#testing/tcp-server.ts';
import { parseHead } from './answer-head.ts';
import { AnswerReader } from './answer-reader.ts';
import { requestText } from './request-text.ts';
import { ok, sender } from '#testing/http-sender.ts';

afterEach(closeServers);

describe('a written request', () => {
  const to = { host: 'receiver.example:8443', path: '/a?b=c' };
  const written = (request: Parameters<typeof requestText>[0]) => {
    const text = requestText(request, to);
    if (text === null) return null;
    return typeof text.content === 'string' ? Buffer.from(text.content, text.charset) : text.content;
  };

  it('has host, length and its own headers as they were given', () => {
    expect(String(written({ method: 'POST', headers: ['X-Api-Key', 'k'], body: '{}' }))).toBe(
      'POST /a?b=c HTTP/1.1\r\nhost: receiver.example:8443\r\nconnection: keep-alive\r\nX-Api-Key: k\r\ncontent-length: 2\r\n\r\n{}',
    );
    expect(String(written({ method: 'GET', headers: [] }))).toBe(
      'GET /a?b=c HTTP/1.1\r\nhost: receiver.example:8443\r\nconnection: keep-alive\r\n\r\n',
    );
    expect(String(written({ method: 'PUT', headers: [] }))).toContain('content-length: 0\r\n\r\n');
  });

  it.each([
    ['Latin text in headers, ASCII in the body', 'caf\u00e9', 'abc'],
    ['ASCII in headers, anything in the body', 'cafe', '\u00e9\u{1f600}'],
    ['both', 'caf\u00e9', '\u00e9\u{1f600}'],
    ['bytes', 'caf\u00e9', Buffer.from([0, 255, 13, 10])],
  ])('contains %s as Latin-1 and UTF-8', (_, value, body) => {
    const bytes = written({ method: 'POST', headers: ['x-a', value], body });
    const content = Buffer.from(body);
    expect(bytes?.subarray(-content.length)).toEqual(content);
    expect(bytes?.toString('latin1')).toContain(`\r\nx-a: ${value}\r\ncontent-length: ${content.length}\r\n\r\n`);
  });

  it.each([
    ['a line break', ['x-a', 'a\r\nx-b: b']],
    ['a bare LF', ['x-a', 'a\nb']],
    ['a bare CR', ['x-a', 'a\rb']],
    ['NUL', ['x-a', 'a\0']],
    ['text beyond Latin-1, whose low bytes could be a line break', ['x-a', '\u010d\u010a']],
    ['a name with a blank', ['x a', 'a']],
    ['a name with a colon', ['x:', 'a']],
    ['a name with a line break', ['x\r\ny', 'a']],
    ['no name', ['', 'a']],
    ['no value', ['x-a']],
    ['a length of its own', ['Content-Length', '3']],
    ['an encoding', ['transfer-encoding', 'chunked']],
    ['another host', ['HOST', 'internal.example']],
    ['a connection', ['connection', 'upgrade']],
    ['an upgrade', ['upgrade', 'h2c']],
    ['an expectation', ['expect', '100-continue']],
  ])('is refused with %s', (_, headers) => {
    const ask = () => requestText({ method: 'POST', headers, body: 'x' }, to);
    // Names that were allowed are remembered.
    expect([ask(), ask()]).toEqual([null, null]);
  });

  it('keeps its rules for names after thousands of others', () => {
    const many = Array.from({ length: 5_000 }, (_, n) => [`x-${n}`, 'y']).flat();
    expect(String(written({ method: 'GET', headers: many }))).toContain('\r\nx-4999: y\r\n');
    expect(requestText({ method: 'GET', headers: [...many, 'Connection', 'close'] }, to)).toBeNull();
    expect(String(written({ method: 'GET', headers: ['x-new', 'y'] }))).toContain('\r\nx-new: y\r\n');
  });

  it('names its host once, also where the caller does', () => {
    const text = String(written({ method: 'GET', headers: ['Host', 'receiver.example:8443'] }));
    expect(text.match(/host:/gi)).toEqual(['host:']);
  });

  it('ends the connection, and says so, where a server may take its body for the next request', () => {
    const body = 'GET / HTTP/1.1\r\n\r\n';
    for (const method of ['GET', 'DELETE'] as const) {
      expect(requestText({ method, headers: [], body }, to)?.endsConnection).toBe(true);
      expect(String(written({ method, headers: [], body }))).toContain('\r\nconnection: close\r\n');
      expect(requestText({ method, headers: [] }, to)?.endsConnection).toBe(false);
    }
    expect(requestText({ method: 'POST', headers: [], body: 'x' }, to)?.endsConnection).toBe(false);
  });
});

describe('the head of an answer', () => {
  it('has every header by its lower-case name, in Latin-1, without the blanks around it', () => {
    const head = parseHead(
      'HTTP/1.1 200 OK\r\nX-A:  b \t\r\nx-a: \u00e9\u00a0\r\n__proto__: p\r\nEmpty:\r\nContent-Length: 0',
    );
    expect(head).toMatchObject({ status: 200, body: 0, keepsForMs: 4_000 });
    expect(Object.entries(head?.headers ?? {})).toEqual([
      ['x-a', ['b', '\u00e9\u00a0']],
      ['__proto__', 'p'],
      ['empty', ''],
      ['content-length', '0'],
    ]);
  });

  it.each([
    ['HTTP/1.1 200', 'until the end', 0],
    ['HTTP/1.1 200 \r\nContent-Length: 7', 7, 4_000],
    ['HTTP/1.1 200\r\nContent-Length: 7\r\nKeep-Alive: timeout=60, max=9', 7, 58_000],
    ['HTTP/1.1 200\r\nContent-Length: 7\r\nKeep-Alive: timeout=999999999', 7, 600_000],
    ['HTTP/1.1 200\r\nContent-Length: 7\r\nKeep-Alive: timeout=2', 7, 0],
    ['HTTP/1.1 200\r\nContent-Length: 7\r\nConnection: CLOSE', 7, 0],
    ['HTTP/1.0 200\r\nContent-Length: 7', 7, 0],
    ['HTTP/1.0 200\r\nContent-Length: 7\r\nConnection: Keep-Alive', 7, 4_000],
    ['HTTP/1.1 200\r\nTransfer-Encoding: Chunked', 'chunked', 4_000],
    ['HTTP/1.1 200\r\nTransfer-Encoding: gzip\r\ntransfer-encoding: chunked', 'chunked', 4_000],
    ['HTTP/1.0 200\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive', 'chunked', 0],
    ['HTTP/1.1 200\r\nTransfer-Encoding: gzip', 'until the end', 0],
    ['HTTP/1.1 204\r\nContent-Length: 0', 0, 4_000],
    ['HTTP/1.1 204\r\nContent-Length: 7', 0, 0],
    ['HTTP/1.1 304\r\nTransfer-Encoding: chunked', 0, 0],
    ['HTTP/1.1 103', 0, 4_000],
  ])('%j is followed by a body of %s', (text, body, keepsForMs) => {
    expect(parseHead(text)).toMatchObject({ body, keepsForMs });
  });

  it.each([
    'HTTP/2.0 200 OK',
    'HTTP/0.9 200 OK',
    'http/1.1 200 OK',
    'HTTP/1.1  200 OK',
    'HTTP/1.1 099 OK',
    'HTTP/1.1 2000 OK',
    'HTTP/1.1 200OK',
    'HTTP/1.1 200 OK\0',
    'HTTP/1.1 200 OK\nX: a',
    'HTTP/1.1 200 OK\r\nX: a\nY: b',
    'HTTP/1.1 200 OK\r\nX: a\rY: b',
    'HTTP/1.1 200 OK\r\nX: a\r\n folded',
    'HTTP/1.1 200 OK\r\nX : a',
    'HTTP/1.1 200 OK\r\n: a',
    'HTTP/1.1 200 OK\r\nnothing',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1',
    'HTTP/1.1 200 OK\r\nContent-Length: 1, 1',
    'HTTP/1.1 200 OK\r\nContent-Length: +1',
    'HTTP/1.1 200 OK\r\nContent-Length: 0x1',
    'HTTP/1.1 200 OK\r\nContent-Length:',
    'HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked',
  ])('is refused as %j', (text) => {
    expect(parseHead(text)).toBeNull();
  });
});

describe('an answer without end', () => {
  it.each([
    ['in its head', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(17_000)}`],
    ['in empty lines', '\r\n'.repeat(10_000)],
    ['in informational answers', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(101)],
  ])('%s is lost', async (_, text) => {
    const { send } = await sender((socket) => void socket.write(text));
    expect(await send()).toEqual({ kind: 'lost', reason: 'the answer is not valid HTTP/1.1' });
  });

  it.each([
    ['in the size of a chunk', `5;${'a'.repeat(5_000)}`],
    ['in its trailers', `0\r\n${`X: ${'x'.repeat(1_000)}\r\n`.repeat(17)}`],
    ['in its chunks', '1\r\nx\r\n'.repeat(20_000)],
  ])('%s is taken by its status, and the connection closed', async (_, text) => {
    const { send, sockets } = await sender((socket, { count }) => {
      socket.write(count === 1 ? `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${text}` : ok('next'));
    });
    expect(await send()).toMatchObject({ kind: 'answer', status: 200, isComplete: false });
    expect(await send()).toMatchObject({ body: 'next' });
    expect(sockets).toHaveLength(2);
  });

  it('of chunks of one byte is kept as far as any other', async () => {
    const chunks = Array.from({ length: 16_384 }, (_, at) => `1;${at}\r\n${at % 10}\r\n`).join('');
    const { send } = await sender((socket, { count }) => {
      socket.write(
        `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}${count === 1 ? '' : '1\r\nx\r\n'}0\r\n\r\n`,
      );
    });
    const body = Array.from({ length: 16_384 }, (_, at) => at % 10).join('');
    expect(await send()).toMatchObject({ body, isComplete: true });
    expect(await send()).toMatchObject({ body, isComplete: false });
    expect(await send({ mostBytes: 20_000 })).toMatchObject({ body: `${body}x`, isComplete: true });
  });

  it.each([
    ['a head', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(17_000)}`],
    ['empty lines', '\r\n'.repeat(10_000)],
  ])('of %s that comes byte by byte costs no more time than its bytes', (_, text) => {
    const reader = new AnswerReader(16_384);
    const before = process.cpuUsage();
    for (const byte of Buffer.from(text).subarray(0, 16_384)) reader.read(Buffer.of(byte), 1);
    expect(reader.state).toBe('malformed');
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000);
  });

  it('of a hundred informational answers is still read to the end', async () => {
    const { send } = await sender((socket) => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100) + ok('thanks'));
    });
    expect(await send()).toMatchObject({ body: 'thanks', isComplete: true });
  });
});
