import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { portProblem } from '#contract/web-ports.ts';
import { kindOf, parseAddress, type PlainAddress } from './address.ts';
import { createResolve, type Resolve } from './resolve.ts';

/**
 * A refusal contains a sentence for the person who entered the address. For a literal address it names the kind of
 * network; for a host name it names neither address nor kind, so that names do not reveal the internal network.
 */
export type Verdict = 'allowed' | { refused: string };

/** The egress guard of all outgoing traffic: what Cuebird may connect to on behalf of a workspace. */
export type EgressGuard = {
  /** The decision that counts, made on the literal address, on every DNS answer and on the connected socket. */
  checkAddress(ip: string, port: number): Verdict;
  /** A `net` lookup for connections to `port`: resolves all answers and refuses the name if any one is refused. */
  lookup(port: number): LookupFunction;
  /** The problem of a URL or its port, without a DNS query; null when there is none. */
  urlProblem(url: URL): string | null;
  /** Checks a webhook URL before it is saved. A name that cannot be resolved passes now, since sending checks again. */
  checkUrl(url: string): Promise<Verdict>;
  /** Checks an SMTP host before it is saved, by the same rules. */
  checkHost(host: string, port: number): Promise<Verdict>;
};

/** Why a connection was not made. Never retried: the address is wrong, not the network. */
export class EgressRefused extends Error {
  readonly code = 'EGRESS_REFUSED';
  override readonly name = 'EgressRefused';
}

/**
 * @param options.allow CIDRs that pass besides public addresses (EGRESS_ALLOW). Throws on one that is malformed.
 * @param options.exact Own services that pass by exact host and port, such as the sandbox; read at each check.
 * @param options.isClosed Nothing else passes, no public address either.
 */
export function createEgressGuard(options: {
  allow: readonly string[];
  exact: () => readonly { host: string; port: number }[];
  isClosed?: boolean;
  resolve?: Resolve;
}): EgressGuard {
  const allowed = options.allow.map(parseCidr);
  const resolve = options.resolve ?? createResolve();

  function isListed(address: PlainAddress, port: number): boolean {
    if (allowed.some((cidr) => cidr[0].kind() === address.kind() && address.match(cidr))) return true;
    return options.exact().some((own) => own.port === port && own.host === address.toString());
  }

  function checkAddress(ip: string, port: number): Verdict {
    const address = parseAddress(ip);
    if (!address) return { refused: `${ip} is not an address Cuebird can connect to.` };
    if (isListed(address, port)) return 'allowed';
    if (options.isClosed === true) return onlyOwn;
    const kind = kindOf(address);
    return kind === 'public' ? 'allowed' : { refused: `${ip} is ${kind}, which Cuebird does not connect to.` };
  }

  const checkAnswers = (name: string, answer: { addresses: readonly string[]; port: number }): Verdict =>
    answer.addresses.every((ip) => checkAddress(ip, answer.port) === 'allowed') ? 'allowed' : refusalOfName(name);

  function lookup(port: number): LookupFunction {
    return (hostname, lookupOptions, callback) => {
      // The DNS is not asked either.
      if (options.isClosed === true) return callback(new EgressRefused(onlyOwn.refused), '', 0);
      resolve(hostname).then(
        (addresses) => {
          const verdict = checkAnswers(hostname, { addresses, port });
          if (verdict !== 'allowed') return callback(new EgressRefused(verdict.refused), '', 0);
          const answers = addresses.map((address) => ({ address, family: isIP(address) }));
          if (lookupOptions.all) return callback(null, answers);
          const first = answers.find((answer) => !lookupOptions.family || answer.family === lookupOptions.family);
          return callback(null, first?.address ?? '', first?.family);
        },
        (error: Error) => callback(error, '', 0),
      );
    };
  }

  async function checkHost(host: string, port: number): Promise<Verdict> {
    const name = normalizeHost(host);
    if (name === null) return { refused: `“${host}” is not a host name.` };
    if (isIP(name)) return checkAddress(name, port);
    const addresses = await resolve(name).catch(() => []);
    const verdict = checkAnswers(name, { addresses, port });
    if (!internalName.test(name)) return verdict;
    const isNamedByUs = addresses.some((ip) => {
      const address = parseAddress(ip);
      return address !== null && isListed(address, port);
    });
    // The same sentence whether such a name exists or not.
    return isNamedByUs && verdict === 'allowed' ? 'allowed' : { refused: `${name} is a name of an internal network.` };
  }

  function urlProblem(url: URL): string | null {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'A URL must begin with http:// or https://.';
    if (url.username || url.password) return 'A URL must not hold a user name or password; use a header instead.';
    const isOwn = options.exact().some(({ host, port }) => host === bare(url.hostname) && port === portOf(url));
    return isOwn ? null : portProblem(url);
  }

  async function checkUrl(text: string): Promise<Verdict> {
    const url = URL.parse(text);
    if (!url) return { refused: 'This is not a complete URL, such as https://example.com/hook.' };
    const problem = urlProblem(url);
    if (problem) return { refused: problem };
    return checkHost(url.hostname, portOf(url));
  }

  return { checkAddress, lookup, urlProblem, checkUrl, checkHost };
}

const onlyOwn = { refused: 'The demo connects to the sandbox only.' };

/** The refusal for a host that was given by name. */
export const refusalOfName = (name: string) => ({
  refused: `${name} leads to an address that Cuebird does not connect to.`,
});

/** The port of a URL, also where it is the scheme's default. */
export function portOf(url: URL): number {
  if (url.port) return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

// Single labels and the suffixes that stand for inside networks (RFC 6761, 6762, 8375; cloud metadata services).
const internalName = /^[^.]+$|\.(internal|local|localhost|localdomain|lan|intranet|corp|home|home\.arpa)$/;

/** Normalizes every spelling of an address (decimal, octal, hexadecimal, full-width), as browsers do. */
function normalizeHost(host: string): string | null {
  if (/[/?#@\\\s]/.test(host)) return null;
  const isBareIpv6 = host.includes(':') && !host.startsWith('[');
  const url = URL.parse(`http://${isBareIpv6 ? `[${host}]` : host}/`);
  if (!url || url.port || url.hostname === '') return null;
  return bare(url.hostname).replace(/\.$/, '');
}

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '');

function parseCidr(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  try {
    return ipaddr.parseCIDR(text.includes('/') ? text : `${text}/${isIP(text) === 6 ? 128 : 32}`);
  } catch {
    throw new Error(`EGRESS_ALLOW: “${text}” is not a network such as 10.0.0.0/8`);
  }
}
