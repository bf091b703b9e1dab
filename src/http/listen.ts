import { serve, type ServerType } from '@hono/node-server';
import type { Hono } from 'hono';

export type Listening = { url: string; close(): Promise<void> };

/** The port is taken, or may not be used. The message is one line for a person at a terminal. */
export class ListenError extends Error {}

/**
 * Listens on `host`, or on loopback in both families. A port that was not asked for by name gives way to the next free
 * one.
 */
export async function listen(
  app: Hono,
  { host, port, isPortFixed }: { host: string | undefined; port: number; isPortFixed: boolean },
): Promise<Listening> {
  const last = isPortFixed || port === 0 ? port : port + 20;
  for (let candidate = port; ; candidate += 1) {
    try {
      return await listenOn(app, { host, port: candidate });
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

async function listenOn(app: Hono, { host, port }: { host: string | undefined; port: number }): Promise<Listening> {
  const first = await start(app, { hostname: host ?? '127.0.0.1', port });
  const servers = [first.server];
  if (host === undefined) {
    try {
      servers.push((await start(app, { hostname: '::1', port: first.port })).server);
    } catch (error) {
      // A machine without IPv6 is served on the other family alone; a port taken there would hide us from browsers.
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

function start(app: Hono, options: { hostname: string; port: number }): Promise<{ server: ServerType; port: number }> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, ...options }, (info) => resolve({ server, port: info.port }));
    server.once('error', reject);
  });
}

function close(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // Idle keep-alive connections would hold the server open for their whole time-out.
    if ('closeIdleConnections' in server) server.closeIdleConnections();
  });
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);
