import ipaddr from 'ipaddr.js';

/** The kind of network of an address, worded for a sentence such as "10.0.0.1 is a private address". */
export type AddressKind = 'public' | `${'a' | 'an'} ${string} address`;

/** An IPv4 or IPv6 address in the one form the checks are made on; null for anything that is not a plain address. */
export type PlainAddress = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * IPv6 is converted to pure hexadecimal first: ipaddr.js parses `::127.0.0.1` as the mapped `::ffff:127.0.0.1`, the
 * kernel does not. A mapped address is unwrapped, since connecting to it reaches the IPv4 host.
 */
export function parseAddress(ip: string): PlainAddress | null {
  const bare = ip.replace(/%.*/s, '');
  if (!bare.includes(':')) return ipaddr.IPv4.isValidFourPartDecimal(bare) ? ipaddr.IPv4.parse(bare) : null;
  const url = URL.parse(`http://[${bare}]/`);
  if (!url) return null;
  const address = ipaddr.IPv6.parse(url.hostname.slice(1, -1));
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Only global unicast is public. Addresses that carry an IPv4 address inside (NAT64, 6to4, Teredo, `::a.b.c.d`) are not. */
export function kindOf(address: PlainAddress): AddressKind {
  const range = address.range();
  if (range !== 'unicast') return words[range] ?? 'a reserved address';
  if (address instanceof ipaddr.IPv6 && !address.match(globalUnicast)) return 'a reserved address';
  return 'public';
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

const words: Record<string, AddressKind> = {
  loopback: 'a loopback address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  carrierGradeNat: 'a private address',
  linkLocal: 'a link-local address',
  unspecified: 'an unspecified address',
  multicast: 'a multicast address',
  broadcast: 'a broadcast address',
  rfc6145: 'a translated address',
  rfc6052: 'a translated address',
  '6to4': 'a tunnel address',
  teredo: 'a tunnel address',
};
