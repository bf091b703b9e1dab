import { createServer, type Socket } from 'node:net';
import { openTally, portOf } from '../tally.ts';

/**
 * A separate process that receives webhooks. It parses only as much HTTP as the contenders need, to use little of the shared CPU.
 * `http.ts [milliseconds | never]` is the delay of its answers, none by default. For requests to `/timed` it also records how late
 * they are.
 */
const [delay = '0'] = process.argv.slice(2);
const answer = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok';
const tally = openTally();

const server = createServer({ noDelay: true }, (socket) => {
  let buffered = '';
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    buffered = readRequests(socket, buffered === '' ? chunk : buffered + chunk);
  });
});

/** Handles every complete request and returns the rest. */
function readRequests(socket: Socket, text: string): string {
  let start = 0;
  for (;;) {
    const bodyStart = text.indexOf('\r\n\r\n', start) + 4;
    if (bodyStart === 3) break;
    const head = text.slice(start, bodyStart);
    const end = bodyStart + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (text.length < end) break;
    tally.see(/\r\nwebhook-id: *([^\r]+)/i.exec(head)?.[1] ?? 'without id');
    if (head.startsWith('POST /timed')) tally.late(latenessOf(text.slice(bodyStart, end)));
    reply(socket);
    start = end;
  }
  return start === 0 ? text : text.slice(start);
}

function latenessOf(body: string): number {
  return Date.now() - Date.parse(/"scheduled_for":"([^"]+)"/.exec(body)?.[1] ?? '');
}

function reply(socket: Socket): void {
  if (delay === '0') socket.write(answer);
  else if (delay !== 'never') setTimeout(() => socket.destroyed || socket.write(answer), Number(delay));
}

server.listen(0, '127.0.0.1', () => tally.announce(portOf(server.address())));
