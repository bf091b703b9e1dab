import { isIP, type Socket } from 'node:net';
import { connect as upgrade, type TLSSocket } from 'node:tls';
import type { EgressGuard } from '#platform/outbound/guard.ts';
import { openSocket } from '#platform/outbound/socket.ts';
import type { Connection } from './connection.ts';

/** Where a connection leads, and the TLS session that the next one may resume. */
export type Target = {
  isTls: boolean;
  /** A host name, or an address without brackets. */
  host: string;
  port: number;
  session: Buffer | undefined;
};

/** The server accepted the connection, but did not complete TLS in time. */
class TlsTimeout extends Error {
  readonly code = 'TLS_TIMEOUT';
  override readonly name = 'TlsTimeout';
}

/** One buffer for all connections: what arrives is parsed before the next read. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

/** Opens a connection through the egress guard. Rejects with the errors of `openSocket`, TlsTimeout or that of TLS. */
export async function openConnection(
  connection: Connection,
  { guard, target, timeoutMs }: { guard: EgressGuard; target: Target; timeoutMs: number },
): Promise<void> {
  const { host, port, isTls } = target;
  if (!isTls) {
    const onread = {
      buffer: readBuffer,
      callback(length: number) {
        connection.receive(readBuffer, length);
        return true;
      },
    };
    return connection.attach(await openSocket({ guard, host, port, timeoutMs, onread }));
  }
  const socket = await secured(await openSocket({ guard, host, port, timeoutMs }), { target, timeoutMs });
  socket.on('data', (bytes: Buffer) => connection.receive(bytes, bytes.length));
  connection.attach(socket);
}

function secured(socket: Socket, { target, timeoutMs }: { target: Target; timeoutMs: number }): Promise<TLSSocket> {
  const { host, session } = target;
  return new Promise((resolve, reject) => {
    // SNI has no addresses (RFC 6066, 3), and names without the final dot.
    const servername = isIP(host) ? '' : host.replace(/\.$/, '');
    const secure = upgrade({ socket, host, servername, session, ALPNProtocols: ['http/1.1'] });
    const timer = setTimeout(() => secure.destroy(new TlsTimeout('no secure connection in time')), timeoutMs);
    secure
      .on('session', (ticket) => {
        target.session = ticket;
      })
      .once('error', fail)
      .once('secureConnect', () => {
        clearTimeout(timer);
        secure.off('error', fail);
        resolve(secure);
      });

    function fail(error: Error): void {
      clearTimeout(timer);
      // A session that the server no longer accepts is not offered twice.
      target.session = undefined;
      reject(error);
    }
  });
}
