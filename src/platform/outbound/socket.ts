import { connect, isIP, type OnReadOpts, type Socket } from 'node:net';
import { type EgressGuard, EgressRefused, refusalOfName } from './guard.ts';

/** Nothing accepted the connection in time; no byte was sent. */
class ConnectTimeout extends Error {
  readonly code = 'CONNECT_TIMEOUT';
  override readonly name = 'ConnectTimeout';
}

/**
 * Opens a TCP connection to an address that the guard permits: a literal address is checked here, since `net` calls no
 * lookup for one; a name is checked answer by answer; and the connected address is checked once more. Rejects with
 * EgressRefused, ConnectTimeout or the system's error.
 */
export function openSocket(options: {
  guard: EgressGuard;
  host: string;
  port: number;
  timeoutMs: number;
  /** Receives what is read, in place of the socket's events. */
  onread?: OnReadOpts;
}): Promise<Socket> {
  const { guard, host, port, timeoutMs, onread } = options;
  return new Promise((resolve, reject) => {
    if (isIP(host)) {
      const verdict = guard.checkAddress(host, port);
      if (verdict !== 'allowed') return reject(new EgressRefused(verdict.refused));
    }
    const socket = connect({
      host,
      port,
      lookup: guard.lookup(port),
      noDelay: true,
      keepAlive: true,
      onread,
      autoSelectFamily: true,
      // Node's default gives up on an address after a quarter second, less than many intercontinental round trips.
      autoSelectFamilyAttemptTimeout: Math.min(2_500, timeoutMs),
    });
    const timer = setTimeout(
      () => socket.destroy(new ConnectTimeout(`no connection within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    socket.once('error', fail).once('connect', () => {
      clearTimeout(timer);
      const reached = guard.checkAddress(socket.remoteAddress ?? '', port);
      if (reached !== 'allowed')
        return socket.destroy(new EgressRefused((isIP(host) ? reached : refusalOfName(host)).refused));
      socket.off('error', fail);
      resolve(socket);
    });

    function fail(error: Error): void {
      clearTimeout(timer);
      reject(error);
    }
  });
}
