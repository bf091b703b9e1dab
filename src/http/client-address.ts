import ipaddr from 'ipaddr.js';
import type { Log } from '#platform/log.ts';

export type TrustedProxies = {
  has(address: string): boolean;
  /** Reports that a proxy which is not trusted sent `X-Forwarded-For`. */
  reportUntrusted(peer: string): void;
};

/** @param cidrs of TRUSTED_PROXIES, which the configuration has checked */
export function createTrustedProxies(cidrs: readonly string[], { log }: { log: Pick<Log, 'warn'> }): TrustedProxies {
  const ranges = cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  let isReported = false;
  return {
    has(text) {
      const address = ipaddr.process(text);
      return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match([range, bits]));
    },
    // Logged once: any caller can send the header, and must not fill the log.
    reportUntrusted(peer) {
      if (isReported) return;
      isReported = true;
      log.warn(
        { peer },
        'X-Forwarded-For is ignored: TRUSTED_PROXIES does not name the peer. If it is your reverse proxy, set TRUSTED_PROXIES to its address; else everybody behind it shares the limits of one address',
      );
    },
  };
}

/**
 * The client address of a request. A proxy appends its peer's address to `X-Forwarded-For`: the header is read from its
 * end, as long as the proxy that wrote an entry is trusted; what a caller makes up comes before that.
 * @param peer the remote address of the connection
 */
export function clientAddressOf(
  { peer, forwardedFor }: { peer: string | undefined; forwardedFor: string | null },
  proxies: TrustedProxies,
): string {
  if (peer === undefined || !ipaddr.isValid(peer)) return 'unknown';
  if (forwardedFor !== null && !proxies.has(peer)) proxies.reportUntrusted(peer);
  let client = peer;
  for (const entry of (forwardedFor ?? '').split(',').reverse()) {
    if (!proxies.has(client)) break;
    const address = addressIn(entry.trim());
    if (address === null) break;
    client = address;
  }
  return ipaddr.process(client).toString();
}

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function addressIn(entry: string): string | null {
  const [, bracketed, dotted] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(entry) ?? [];
  const address = bracketed ?? dotted ?? entry;
  return ipaddr.isValid(address) ? address : null;
}
