import { z } from 'zod';

const schemes = ['postgres', 'postgresql'] as const;

/** The parameter under which a URL with several hosts keeps those after the first, so that everything else can read it as a URL. */
const otherHosts = 'other_hosts';

/** The host that accepts changes, which is what Cuebird needs; the other values of libpq would lead to a standby. */
const acceptable: readonly (string | null)[] = [null, 'read-write', 'primary'];

/**
 * The URL of a database, with one or several hosts as libpq writes them: `postgres://a:5432,b:5433/cuebird?target_session_attrs=read-write`. Returns a
 * URL of the first host, from which `hostUrls` reads all of them.
 * Source: PostgreSQL's documentation, "Connection URIs" and "Specifying Multiple Hosts".
 */
export const DatabaseAddress = z.string().transform((text, ctx) => {
  const url = urlOfFirst(text);
  if (url === null) {
    ctx.addIssue(`must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`);
    return z.NEVER;
  }
  if (!acceptable.includes(url.searchParams.get('target_session_attrs'))) {
    ctx.addIssue(
      'must not ask for another target_session_attrs than read-write or primary, because Cuebird changes data',
    );
    return z.NEVER;
  }
  return url.searchParams.has(otherHosts) ? url.href : text;
});

const largestCount = 16;

function urlOfFirst(text: string): URL | null {
  const scheme = schemes.map((name) => `${name}://`).find((start) => text.startsWith(start));
  if (scheme === undefined) return null;
  const [authority = ''] = text.slice(scheme.length).split(/[/?#]/, 1);
  const login = authority.slice(0, authority.lastIndexOf('@') + 1);
  const hosts = authority.slice(login.length);
  const rest = text.slice(scheme.length + authority.length);
  const [first = '', ...others] = hosts.split(',');
  if (others.length >= largestCount) return null;
  const urls = [first, ...others].map((host) => `${scheme}${login}${host}${rest}`);
  if (!urls.every((url) => URL.canParse(url))) return null;
  const url = new URL(urls[0] ?? '');
  if (others.length === 0) return url;
  if (others.concat(first).includes('')) return null;
  url.searchParams.set(otherHosts, others.join());
  return url;
}

/** A URL for each host of a `DatabaseAddress`, in their order. */
export function hostUrls(address: string): string[] {
  const first = new URL(address);
  const others = first.searchParams.get(otherHosts);
  if (others === null) return [address];
  first.searchParams.delete(otherHosts);
  first.searchParams.delete('target_session_attrs');
  return [first.host, ...others.split(',')].map((host) => {
    // A URL without a port keeps the one that it had.
    const url = new URL(first);
    url.port = '';
    url.host = host;
    return url.href;
  });
}
