import type { Socket } from 'node:net';
import { onClose, tcpServer } from './tcp-server.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import { createOutboundHttp } from '#platform/outbound/http-client.ts';
import type { HttpRequest } from '#platform/outbound/http.ts';

type Receiver = (socket: Socket, request: { text: string; count: number }) => void;

/** A raw server that is asked by one sender. Each request ends with the body `end`. */
export async function sender(receive: Receiver, { maxSockets = 128, onConnection = (_: Socket) => {} } = {}) {
  const seen: string[] = [];
  const sockets: Socket[] = [];
  const { port } = await tcpServer((socket) => {
    sockets.push(socket);
    onConnection(socket);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (!text.endsWith('end')) return;
      const request = text;
      text = '';
      seen.push(request);
      receive(socket, { text: request, count: seen.length });
    });
  });
  const guard = createEgressGuard({ allow: ['127.0.0.0/8'], exact: () => [] });
  const http = createOutboundHttp({ guard, maxSockets, checkEveryMs: 10, connectTimeoutMs: 500 });
  onClose(() => void http.close());
  const url = `http://127.0.0.1:${port}/`;
  const send = (more: Partial<HttpRequest> = {}) =>
    http.request({ url, method: 'POST', headers: [], body: 'end', timeoutMs: 30_000, ...more });
  return { http, url, send, seen, sockets };
}

export const ok = (body: string, headers = '') =>
  `HTTP/1.1 200 OK\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
