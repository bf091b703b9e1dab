import type { Socket } from 'node:net';

/**
 * Filters `100 Continue` out of a connection. Some servers send it for every POST although nobody asked, so it means
 * nothing (RFC 9110, 15.2.1), and undici would close the connection over it.
 */
export function ignoreContinue(socket: Socket): Socket {
  const push = socket.push.bind(socket);
  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (!Buffer.isBuffer(chunk) || !isContinue(chunk)) return push(chunk, encoding);
    const rest = afterContinue(chunk);
    return rest.length === 0 || push(rest, encoding);
  };
  return socket;
}

function afterContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  while (isContinue(rest)) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) break;
    rest = rest.subarray(end + 4);
  }
  return rest;
}

/** `HTTP/1.1 100`, asked of every piece that arrives: mostly the first digit answers. */
const isContinue = (bytes: Buffer): boolean =>
  bytes[9] === 0x31 && bytes[10] === 0x30 && bytes[11] === 0x30 && bytes.toString('latin1', 0, 7) === 'HTTP/1.';
