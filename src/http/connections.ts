import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { networkOf } from '#platform/limit-subject.ts';

export type ConnectionLimits = {
  /** Requests of one connection that have no whole answer yet. Browsers and proxies wait for each answer; more is a flood. */
  unanswered: number;
  /** How long a connection may move no byte: a stream of changes sends one each 25 s. In milliseconds. */
  idleMs: number;
  /** Open connections from one network of the internet. Private addresses are proxies, and have no bound. */
  ofNetwork: number;
  /** How long answers may take to end once the server closes. In milliseconds. */
  closingMs: number;
};

export const connectionLimits: ConnectionLimits = {
  unanswered: 4,
  idleMs: 180_000,
  ofNetwork: 1_000,
  closingMs: 20_000,
};

/** A server that ends each connection which asks for more than is answered, reads no answer, or is one too many of its network. */
export function createBoundedServer(
  options: ServerOptions,
  listener: RequestListener,
  limits: ConnectionLimits,
): Server {
  const unanswered = new WeakMap<Socket, number>();
  const add = (socket: Socket, by: 1 | -1) => {
    const now = (unanswered.get(socket) ?? 0) + by;
    unanswered.set(socket, now);
    return now;
  };
  const server = createServer(options, (request: IncomingMessage, response) => {
    const { socket } = request;
    // Of one that was ended, requests may have been read already.
    if (socket.destroyed) return;
    if (add(socket, 1) > limits.unanswered) return void socket.destroy();
    response.once('close', () => add(socket, -1));
    listener(request, response);
  });
  server.setTimeout(limits.idleMs);
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const network = networkOfPeer(socket.remoteAddress);
    if (network === null) return;
    const now = open.get(network) ?? 0;
    if (now >= limits.ofNetwork) return void socket.destroy();
    open.set(network, now + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
  return server;
}

/** Null for an address that is not of the internet. */
function networkOfPeer(address: string | undefined): string | null {
  if (address === undefined || !ipaddr.isValid(address)) return null;
  const peer = ipaddr.process(address);
  return peer.range() === 'unicast' ? networkOf(peer.toString()) : null;
}
