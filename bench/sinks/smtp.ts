import { createServer, type Socket } from 'node:net';
import { openTally, portOf } from '../tally.ts';

/** A mail server in a separate process with a minimum of SMTP (RFC 5321) and pipelining (RFC 2920). It stores only the Message-ID. */
const tally = openTally();

const server = createServer({ noDelay: true }, (socket) => {
  let buffered = '';
  let isMessage = false;
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    buffered += chunk;
    let replies = '';
    for (;;) {
      const mark = isMessage ? '\r\n.\r\n' : '\r\n';
      const end = buffered.indexOf(mark);
      if (end === -1) break;
      const text = buffered.slice(0, end);
      buffered = buffered.slice(end + mark.length);
      if (isMessage) replies += take(text);
      else replies += answerTo(text, socket);
      isMessage = !isMessage && /^data$/i.test(text);
    }
    // Pipelined commands are answered together.
    if (replies !== '') socket.write(replies);
  });
  socket.write('220 sink.example.com ESMTP\r\n');
});

function take(message: string): string {
  const id = /^message-id: *(\S+)/im.exec(message)?.[1] ?? 'without id';
  tally.see(id);
  return `250 2.0.0 Ok: queued as ${id.slice(1, 37)}\r\n`;
}

function answerTo(line: string, socket: Socket): string {
  switch (line.slice(0, 4).toUpperCase()) {
    case 'EHLO':
      return '250-sink.example.com\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n';
    case 'MAIL':
    case 'RCPT':
    case 'RSET':
    case 'NOOP':
      return '250 2.0.0 Ok\r\n';
    case 'DATA':
      return '354 End with a dot\r\n';
    case 'QUIT':
      socket.end('221 2.0.0 Bye\r\n');
      return '';
    default:
      return '502 5.5.1 Not here\r\n';
  }
}

server.listen(0, '127.0.0.1', () => tally.announce(portOf(server.address())));
