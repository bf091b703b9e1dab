import { createServer, type Socket } from 'node:net';

/**
 * A process of its own that takes webhooks: it reads just as much HTTP as the contenders speak, so that it costs them
 * little of a machine that all of them share. Prints its port. `GET /report` tells what came since the last report.
 */
const answer = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok';

let seen = new Map<string, number>();
let cpu = process.cpuUsage();

const server = createServer({ noDelay: true }, (socket) => {
  let buffered = '';
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    buffered = readRequests(socket, buffered === '' ? chunk : buffered + chunk);
  });
});

/** Answers every whole request and returns what is left. */
function readRequests(socket: Socket, text: string): string {
  let start = 0;
  for (;;) {
    const bodyStart = text.indexOf('\r\n\r\n', start) + 4;
    if (bodyStart === 3) break;
    const head = text.slice(start, bodyStart);
    const end = bodyStart + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (text.length < end) break;
    if (head.startsWith('GET /report')) report(socket);
    else {
      const id = /\r\nwebhook-id: *([^\r]+)/i.exec(head)?.[1] ?? 'without id';
      seen.set(id, (seen.get(id) ?? 0) + 1);
      socket.write(answer);
    }
    start = end;
  }
  return start === 0 ? text : text.slice(start);
}

function report(socket: Socket): void {
  const requests = [...seen.values()].reduce((sum, count) => sum + count, 0);
  const { user, system } = process.cpuUsage(cpu);
  const body = JSON.stringify({ requests, distinct: seen.size, cpuMs: (user + system) / 1000 });
  seen = new Map();
  cpu = process.cpuUsage();
  socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) process.send?.({ port: address.port });
});

// Ends with the process that started it, however that ends.
process.on('disconnect', () => process.exit());
