import { lookup, Resolver } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';

/** The first addresses of a host name, IPv4 first. Rejects with the system's DNS error. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * Asks the name servers directly: `dns.lookup` occupies one of four threads while a name hangs, so that four slow names of one tenant would stop
 * everybody. The system's lookup comes second, for names of /etc/hosts.
 */
export function createResolve(options: { timeoutMs?: number; servers?: readonly string[] } = {}): Resolve {
  const resolver = new Resolver({ timeout: options.timeoutMs ?? 3_000, tries: 2 });
  if (options.servers) resolver.setServers(options.servers);
  const known = new LRUCache<string, Promise<readonly string[]>>({ max: 2_000, ttl: 10_000 });

  return function resolve(hostname) {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const cached = known.get(name);
    if (cached) return cached;
    const answer = resolveNow(resolver, name);
    known.set(name, answer);
    answer.catch(() => known.delete(name));
    return answer;
  };
}

/** Of each kind. A name may have thousands, and a connection tries one after the other. */
const mostAddresses = 10;

async function resolveNow(resolver: Resolver, name: string): Promise<readonly string[]> {
  if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'];
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [
    ...(ipv4.status === 'fulfilled' ? ipv4.value.slice(0, mostAddresses) : []),
    ...(ipv6.status === 'fulfilled' ? ipv6.value.slice(0, mostAddresses) : []),
  ];
  if (found.length > 0) return found;
  for (const answer of [ipv4, ipv6]) if (answer.status === 'rejected' && isTimeout(answer.reason)) throw answer.reason;
  const system = await lookup(name, { all: true, order: 'ipv4first' });
  return system.map(({ address }) => address);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ETIMEOUT';
}
