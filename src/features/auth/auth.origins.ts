import type { BetterAuthOptions } from 'better-auth';

const loopback = ['localhost', '127.0.0.1', '[::1]'];

export type Origins = Required<Pick<BetterAuthOptions, 'baseURL' | 'trustedOrigins'>> & {
  isSecure: boolean;
  /** May this origin call, and be called? */
  trusts(origin: string): boolean;
};

/**
 * Whom sign-in trusts: the address that people use if it is set, else whatever is this machine itself. Any other host
 * name would be a stranger's page that resolves to us.
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
