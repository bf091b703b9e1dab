import type { Server, ServerOptions } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { type ConnectionLimits, connectionLimits, createBoundedServer } from './connections.ts';

export type Listening = { url: string; close(): Promise<void> };

type Timeouts = Pick<ServerOptions, 'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval'>;

type Where = { host: string | undefined; port: number; timeouts: Timeouts; limits: ConnectionLimits };

/** The port is taken or not permitted. The message is one line for the terminal. */
export class ListenError extends Error {}

/**
 * How long a request may take to arrive, so that a slow sender does not hold a connection for long. The largest body,
 * of 5 MiB, takes two minutes over a line of 350 kbit/s.
 */
const patience = { headersTimeout: 20_000, requestTimeout: 120_000, connectionsCheckingInterval: 5_000 };

/**
 * Listens on `host`, or on loopback in both families. A default port that is taken is replaced by the next free one; a
 * port that was set is not.
 */
export async function listen(
  app: Hono,
  {
    host,
    port,
    isPortFixed,
    timeouts = patience,
    limits = connectionLimits,
  }: Partial<Where> & { port: number; isPortFixed: boolean },
): Promise<Listening> {
  const last = isPortFixed || port === 0 ? port : port + 20;
  for (let candidate = port; ; candidate += 1) {
    try {
      return await listenOn(app, { host, port: candidate, timeouts, limits });
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EADDRINUSE' && candidate < last) continue;
      if (code === 'EADDRINUSE')
        throw new ListenError(`Port ${candidate} is taken by another program. Set PORT to a free one.`);
      if (code === 'EACCES')
        throw new ListenError(`Port ${candidate} may not be used by this user. Set PORT to one above 1023.`);
      if (code === 'EADDRNOTAVAIL') throw new ListenError(`HOST=${host} is not an address of this machine.`);
      throw error;
    }
  }
}

async function listenOn(app: Hono, { host, port, timeouts: options, limits }: Where): Promise<Listening> {
  const first = await start(app, { hostname: host ?? '127.0.0.1', port, options, limits });
  const servers = [first.server];
  if (host === undefined) {
    try {
      servers.push((await start(app, { hostname: '::1', port: first.port, options, limits })).server);
    } catch (error) {
      // Without IPv6, IPv4 alone is served. But where another program holds the IPv6 port, browsers would reach that instead of Cuebird.
      if (codeOf(error) === 'EADDRINUSE') {
        await close(first.server, limits);
        throw error;
      }
    }
  }
  const shown =
    host === undefined || host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${shown}:${first.port}`,
    close: async () => void (await Promise.all(servers.map((server) => close(server, limits)))),
  };
}

function start(
  app: Hono,
  { hostname, port, options, limits }: { hostname: string; port: number; options: Timeouts; limits: ConnectionLimits },
): Promise<{ server: Server; port: number }> {
  return new Promise((resolve, reject) => {
    const answer = getRequestListener(app.fetch, { hostname });
    const server = createBoundedServer(options, (request, response) => void answer(request, response), limits);
    server.once('error', reject);
    server.listen(port, hostname, () => {
      const address = server.address();
      resolve({ server, port: address !== null && typeof address === 'object' ? address.port : port });
    });
  });
}

function close(server: Server, { closingMs }: ConnectionLimits): Promise<void> {
  return new Promise((resolve) => {
    const atLast = setTimeout(() => server.closeAllConnections(), closingMs);
    server.close(() => {
      clearTimeout(atLast);
      resolve();
    });
    // `close` waits for idle keep-alive connections until their time-out.
    server.closeIdleConnections();
  });
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);
