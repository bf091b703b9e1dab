import type { ServerOptions } from 'node:http';
import { serve, type ServerType } from '@hono/node-server';
import type { Hono } from 'hono';

export type Listening = { url: string; close(): Promise<void> };

type Timeouts = Pick<ServerOptions, 'headersTimeout' | 'requestTimeout' | 'connectionsCheckingInterval'>;

type Where = { host: string | undefined; port: number; timeouts: Timeouts };

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
  { host, port, isPortFixed, timeouts = patience }: Partial<Where> & { port: number; isPortFixed: boolean },
): Promise<Listening> {
  const last = isPortFixed || port === 0 ? port : port + 20;
  for (let candidate = port; ; candidate += 1) {
    try {
      return await listenOn(app, { host, port: candidate, timeouts });
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

async function listenOn(app: Hono, { host, port, timeouts: serverOptions }: Where): Promise<Listening> {
  const first = await start(app, { hostname: host ?? '127.0.0.1', port, serverOptions });
  const servers = [first.server];
  if (host === undefined) {
    try {
      servers.push((await start(app, { hostname: '::1', port: first.port, serverOptions })).server);
    } catch (error) {
      // Without IPv6, IPv4 alone is served. But where another program holds the IPv6 port, browsers would reach that instead of Cuebird.
      if (codeOf(error) === 'EADDRINUSE') {
        await close(first.server);
        throw error;
      }
    }
  }
  const shown =
    host === undefined || host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${shown}:${first.port}`,
    close: async () => void (await Promise.all(servers.map(close))),
  };
}

function start(
  app: Hono,
  options: { hostname: string; port: number; serverOptions: Timeouts },
): Promise<{ server: ServerType; port: number }> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, ...options }, (info) => resolve({ server, port: info.port }));
    server.once('error', reject);
  });
}

function close(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // `close` waits for idle keep-alive connections until their time-out.
    if ('closeIdleConnections' in server) server.closeIdleConnections();
  });
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);
