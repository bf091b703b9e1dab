import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A pooler of connections in its transaction mode: each transaction of a client goes to another connection of the server, if there is one. */
export type TransactionPooler = {
  /** The server's URL with the address of the pooler. */
  through(url: string): string;
  close(): Promise<void>;
};

type Backend = { socket: Socket; client: Client | null; isStarting: boolean };
type Client = {
  socket: Socket;
  pool: string;
  waiting: Buffer[];
  last: Backend | null;
  backend: Backend | null;
  pending: number;
};

/** What a client may ask before its startup: encryption, which is refused with a letter. */
const encryptionRequests = [80877103, 80877104];
const cancelRequest = 80877102;

/**
 * Each client brings a connection of the server, over which it signs in. From then on the connection is anybody's who signed in alike.
 * Source of the frames: PostgreSQL's documentation, "Message Formats".
 */
export async function startTransactionPooler(targetUrl: string): Promise<TransactionPooler> {
  const target = new URL(targetUrl);
  const backends = new Map<string, Set<Backend>>();
  const sockets = new Set<Socket>();

  const server = createServer({ noDelay: true }, (socket) => {
    follow(socket);
    const client: Client = { socket, pool: '', waiting: [], last: null, backend: null, pending: 0 };
    let isStarted = false;
    readFrames(socket, {
      hasType: () => isStarted,
      take(frame) {
        if (isStarted) return fromClient(client, frame);
        const code = frame.readInt32BE(4);
        if (encryptionRequests.includes(code)) return void socket.write('N');
        if (code === cancelRequest) return void socket.destroy();
        isStarted = true;
        client.pool = frame.subarray(8).toString();
        open(client, frame);
      },
    });
    socket.on('close', () => {
      // A transaction that nobody ends would keep its locks.
      client.backend?.socket.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  function open(client: Client, startup: Buffer): void {
    const socket = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    follow(socket);
    const backend: Backend = { socket, client, isStarting: true };
    client.backend = backend;
    client.pending = 1;
    poolOf(client).add(backend);
    socket.write(startup);
    readFrames(socket, { hasType: () => true, take: (frame) => fromServer(backend, frame) });
    socket.on('close', () => {
      poolOf(client).delete(backend);
      backend.client?.socket.destroy();
    });
  }

  function fromClient(client: Client, frame: Buffer): void {
    const type = String.fromCharCode(frame[0] ?? 0);
    if (type === 'X') return void client.socket.end();
    if (client.backend === null && !assign(client)) return void client.waiting.push(frame);
    if (type === 'Q' || type === 'S') client.pending += 1;
    client.backend?.socket.write(frame);
  }

  function assign(client: Client): boolean {
    const idle = [...poolOf(client)].filter((one) => one.client === null);
    const backend = idle.find((one) => one !== client.last) ?? idle[0];
    if (backend === undefined) return false;
    backend.client = client;
    client.backend = backend;
    return true;
  }

  function fromServer(backend: Backend, frame: Buffer): void {
    const { client } = backend;
    // What arrives while nobody has the connection is lost, notifications among it.
    if (client === null) return;
    client.socket.write(frame);
    if (frame[0] !== 'Z'.charCodeAt(0)) return;
    client.pending -= 1;
    if (client.pending > 0 || frame[5] !== 'I'.charCodeAt(0)) return;
    backend.client = null;
    client.backend = null;
    client.last = backend;
    for (const next of waitingClients) serveWaiting(next);
  }

  const waitingClients = new Set<Client>();
  function serveWaiting(client: Client): void {
    if (!assign(client)) return;
    waitingClients.delete(client);
    for (const frame of client.waiting.splice(0)) fromClient(client, frame);
  }

  const poolOf = ({ pool }: Client) => {
    const found = backends.get(pool) ?? new Set<Backend>();
    backends.set(pool, found);
    return found;
  };

  function follow(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  }

  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return {
    through: (url) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(address.port) }).href,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Cuts a stream into messages: a letter, except before the startup, and a length that counts itself. */
function readFrames(
  socket: Socket,
  { hasType, take }: { hasType: () => boolean; take: (frame: Buffer) => void },
): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const head = hasType() ? 1 : 0;
      if (rest.length < head + 4) return;
      const size = head + rest.readInt32BE(head);
      if (rest.length < size) return;
      const frame = rest.subarray(0, size);
      rest = rest.subarray(size);
      take(frame);
    }
  });
}
