import type { BetterAuthOptions } from 'better-auth';

const loopback = ['localhost', '127.0.0.1', '[::1]'];

export type Origins = Required<Pick<BetterAuthOptions, 'baseURL' | 'trustedOrigins'>> & {
  isSecure: boolean;
  /** Whether this origin may send requests and be a redirect target. */
  trusts(origin: string): boolean;
};

/**
 * The origins that sign-in trusts: the address that people use if it is set, else loopback addresses. Any other host
 * name could be another site's page that resolves to this server (DNS rebinding).
 */
export function originsOf(appUrl: string | null): Origins {
  if (appUrl !== null) {
    const { origin, protocol } = new URL(appUrl);
    return {
      baseURL: origin,
      trustedOrigins: [origin],
      isSecure: protocol === 'https:',
      trusts: (one) => one === origin,
    };
  }
  const hosts = loopback.flatMap((host) => [host, `${host}:*`]);
  return {
    baseURL: { allowedHosts: hosts, protocol: 'http' },
    trustedOrigins: hosts.map((host) => `http://${host}`),
    isSecure: false,
    trusts: (one) => loopback.includes(URL.parse(one)?.hostname ?? ''),
  };
}
