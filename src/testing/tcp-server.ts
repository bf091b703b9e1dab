import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

const open: (() => void)[] = [];

/** Closes the servers that the tests of this file started, with their connections. */
export function closeServers(): void {
  for (const close of open.splice(0)) close();
}

export const onClose = (close: () => void): void => void open.push(close);

/** A server for any protocol that the test implements. */
export async function tcpServer(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    onConnection(socket);
  });
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await once(server.close(), 'close');
  };
  onClose(() => void stop());
  return { ...(await listening(server, () => server.listen(0, '127.0.0.1'))), stop };
}

/** Resolves with the port. */
export async function listening(server: Server, listen: () => unknown): Promise<{ port: number }> {
  const ready = once(server, 'listening');
  listen();
  await ready;
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on TCP');
  return { port: address.port };
}

/** A port whose accept queue is full: further connections are neither accepted nor refused. */
export async function deafPort(): Promise<number> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
     });`,
    { eval: true },
  );
  onClose(() => void worker.terminate());
  const [port] = await once(worker, 'message');
  const fillers = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  onClose(() => fillers.forEach((socket) => socket.destroy()));
  await Promise.all(fillers.slice(0, 2).map((socket) => once(socket, 'connect')));
  return port;
}
