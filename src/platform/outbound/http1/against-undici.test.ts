import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { closeServers, tcpServer } from '#testing/tcp-server.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import { createOutboundHttp } from '#platform/outbound/http-client.ts';
import { generatedAnswers, type Scripted } from './answers.fixture.ts';
import { type Seen, undiciClient } from './undici.fixture.ts';
import { sample } from '#testing/sample.ts';

const guard = createEgressGuard({ allow: ['127.0.0.0/8'], exact: () => [] });
const seed = 20_261_123;

afterEach(closeServers);

describe('an answer in random pieces', () => {
  it('is what undici makes of it, and the next request gets its own answer', async () => {
    const { both, close } = await twoClients();
    const results: Seen[] = [];
    const answers = sample.partSeeds('answers', seed).flatMap((part) => generatedAnswers({ count: 150, seed: part }));
    for (const answer of answers) {
      const { ours, theirs } = await both(answer);
      expect(comparable(ours), answer.text).toEqual(comparable(theirs));
      results.push(ours);
    }
    // All three ends are among them, often.
    const count = (is: (seen: Seen) => boolean) => results.filter(is).length;
    const often = answers.length / 10;
    expect(count((seen) => seen.kind === 'lost')).toBeGreaterThan(often);
    expect(count((seen) => seen.kind === 'answer' && seen.isComplete)).toBeGreaterThan(often);
    expect(count((seen) => seen.kind === 'answer' && !seen.isComplete)).toBeGreaterThan(often / 2);
    await close();
  }, 60_000);
});

const complete = (body: string) => ({ kind: 'answer', body, isComplete: true });
const partial = (body: string) => ({ kind: 'answer', body, isComplete: false });
const lost = { kind: 'lost' };
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const chunked = (rest: string, encoding = 'chunked') =>
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: ${encoding}\r\n\r\n${rest}`;

describe('an unusual answer', () => {
  it.each([
    ['empty lines before it', `\r\n\n${ok}`, complete('ok')],
    ['a status without words', 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok', complete('ok')],
    ['a status of no class', 'HTTP/1.1 999 ?\r\nContent-Length: 2\r\n\r\nok', complete('ok')],
    ['a status of zero', 'HTTP/1.1 000 ?\r\nContent-Length: 2\r\n\r\nok', lost],
    ['an informational answer with a length', `HTTP/1.1 103 Hints\r\nContent-Length: 2\r\n\r\n${ok}`, complete('ok')],
    ['another protocol', `HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n${ok}`, lost],
    ['another protocol without a name', `HTTP/1.1 101 Switching\r\n\r\n${ok}`, lost],
    ['a body where none may be', 'HTTP/1.1 204 No\r\nContent-Length: 2\r\n\r\nok', complete('')],
    ['chunks where none may be', 'HTTP/1.1 304 No\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', complete('')],
    ['an encoding before chunks', chunked('2\r\nok\r\n0\r\n\r\n', 'gzip, chunked'), complete('ok')],
    ['an encoding without chunks', chunked('ok', 'identity'), complete('ok')],
    ['a control character in a value', 'HTTP/1.1 200 OK\r\nX: \x01\r\nContent-Length: 0\r\n\r\n', lost],
    ['DEL in a value', 'HTTP/1.1 200 OK\r\nX: \x7f\r\nContent-Length: 0\r\n\r\n', lost],
    ['a control character in a trailer', chunked('2\r\nok\r\n0\r\nX: \x01\r\n\r\n'), partial('ok')],
    ['a chunk longer than its size', chunked('2\r\nokay\r\n0\r\n\r\n'), partial('ok')],
  ])('with %s is read as undici reads it', async (_, text, expected) => {
    expect(await bothOf(text)).toMatchObject({ ours: expected, theirs: expected });
  });
});

describe('undici differs on purpose:', () => {
  it.each([
    // Some servers send it for every POST, and it means nothing (RFC 9110, 15.2.1).
    ['100 Continue is read past', `HTTP/1.1 100 Continue\r\n\r\n${ok}`, complete('ok'), lost],
    // Trailers come too late to say how long the body is (RFC 9110, 6.5.1).
    ['a trailer is no length', chunked('2\r\nok\r\n0\r\nContent-Length: 5\r\n\r\n'), complete('ok'), partial('ok')],
    // RFC 9112, 7.1.1 allows blanks here, and nothing is made of what an extension says.
    ['blanks around the size of a chunk', chunked('2 ;a\r\nok\r\n0 \r\n\r\n'), complete('ok'), partial('')],
    ['an extension that is no token', chunked('2;(\r\nok\r\n0\r\n\r\n'), complete('ok'), partial('')],
    // What we asked in HTTP/1.1 is answered in it, or by something else.
    ['HTTP/2.0 in text is refused', 'HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\nok', lost, complete('ok')],
    ['HTTP/0.9 is refused', 'HTTP/0.9 200 OK\r\nContent-Length: 2\r\n\r\nok', lost, complete('ok')],
    ['NUL beside the status is refused', 'HTTP/1.1 200 O\0K\r\nContent-Length: 2\r\n\r\nok', lost, complete('ok')],
    // A length or an order of encodings that makes no sense leaves open where the answer ends (RFC 9112, 6.1 and 6.3).
    ['a length beyond 15 digits', 'HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999\r\n\r\nok', lost, partial('ok')],
    ['chunks within another encoding', chunked('ok', 'chunked, gzip'), lost, complete('ok')],
    ['chunks within chunks', chunked('2\r\nok\r\n0\r\n\r\n', 'chunked, chunked'), lost, complete('ok')],
  ])('%s', async (_, text, our, their) => {
    expect(await bothOf(text)).toMatchObject({ ours: our, theirs: their });
  });
});

/** Of a server that closes the connection afterwards. */
async function bothOf(text: string) {
  const { both, close } = await twoClients();
  const result = await both({ pieces: [text], closes: true });
  await close();
  return result;
}

const comparable = (seen: Seen) =>
  seen.kind === 'lost'
    ? seen
    : { ...seen, headers: Object.entries(seen.headers).toSorted(([a], [b]) => (a < b ? -1 : 1)) };

/** Both ask a server that answers with what it is given; and then something that it answers properly. */
async function twoClients() {
  let next: Scripted = { pieces: [], closes: false };
  const { port } = await tcpServer((socket) => {
    // Each piece leaves when it is written.
    socket.setNoDelay(true);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (!text.includes('\r\n\r\nasked')) return;
      const probe = /x-probe: (\d+)/i.exec(text)?.[1];
      text = '';
      const scripted = probe === undefined ? next : { pieces: [answerTo(probe)], closes: false };
      void play(socket, scripted);
    });
  });
  const origin = `http://127.0.0.1:${port}`;
  const own = createOutboundHttp({ guard, maxSockets: 1, checkEveryMs: 20 });
  const theirs = undiciClient(origin);
  let probes = 0;

  async function ask(headers: string[]): Promise<Seen> {
    const answer = await own.request({ url: `${origin}/`, method: 'POST', headers, body: 'asked', timeoutMs: 30_000 });
    if (answer.kind === 'lost') return { kind: 'lost' };
    if (answer.kind !== 'answer') throw new Error(answer.reason);
    const { status, body, isComplete } = answer;
    return { kind: 'answer', status, headers: { ...answer.headers } as Record<string, string>, body, isComplete };
  }

  async function both(scripted: Scripted): Promise<{ ours: Seen; theirs: Seen }> {
    next = scripted;
    const result = { ours: await ask([]), theirs: await theirs.request({ path: '/', body: 'asked', headers: [] }) };
    probes += 1;
    const probe = await ask(['x-probe', String(probes)]);
    if (probe.kind !== 'answer' || probe.body !== `probe ${probes}`)
      throw new Error(`not its own answer: ${JSON.stringify({ probe, pieces: scripted.pieces })}`);
    return result;
  }

  return { both, close: () => Promise.all([own.close(), theirs.close()]) };
}

const answerTo = (probe: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${6 + probe.length}\r\n\r\nprobe ${probe}`;

/** Writes each piece as a segment of its own. */
async function play(socket: Socket, { pieces, closes }: Scripted): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    await new Promise((resolve) => socket.write(piece, 'latin1', resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (closes) socket.end();
}
