import { describe, expect, it, vi } from 'vitest';
import { clientAddressOf, createTrustedProxies } from '#http/client-address.ts';

const cidrs = ['10.0.0.0/8', '127.0.0.1/32', '2001:db8:ffff::/48'];
const proxies = createTrustedProxies(cidrs, { log: { warn: () => {} } });
const from = (peer: string | undefined, forwardedFor: string | null) =>
  clientAddressOf({ peer, forwardedFor }, proxies);

describe('the address of a client', () => {
  it.each([
    ['is the peer without a proxy', '203.0.113.7', null, '203.0.113.7'],
    ['is the peer where nobody trusts it, whatever it says', '203.0.113.7', '10.6.6.6, 198.51.100.1', '203.0.113.7'],
    ['is what a trusted proxy was called by', '127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['is not what the client made up before that', '10.0.0.1', '10.6.6.6, 192.0.2.9, 203.0.113.7', '203.0.113.7'],
    [
      'is found behind several trusted proxies',
      '10.0.0.1',
      '192.0.2.9, 203.0.113.7, 10.2.2.2, 10.1.1.1',
      '203.0.113.7',
    ],
    ['is the first entry where all are trusted', '10.0.0.1', '10.3.3.3, 10.2.2.2', '10.3.3.3'],
    ['is the proxy where that says nothing', '10.0.0.1', null, '10.0.0.1'],
    ['is the last that could be read', '10.0.0.1', '203.0.113.7, unknown, 10.1.1.1', '10.1.1.1'],
    ['is read without its port', '10.0.0.1', '203.0.113.7:4711', '203.0.113.7'],
    ['is read without its brackets', '10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
    ['is the same in IPv6 writing', '::ffff:10.0.0.1', '::ffff:203.0.113.7', '203.0.113.7'],
    ['is found behind a proxy with IPv6', '2001:db8:ffff::1', '2001:db8::1', '2001:db8::1'],
    ['is unknown where the connection has none', undefined, '203.0.113.7', 'unknown'],
  ])('%s', (_, peer, forwardedFor, expected) => {
    expect(from(peer, forwardedFor)).toBe(expected);
  });

  it('is found at once in a header of a thousand entries', () => {
    const made = Array.from({ length: 1_000 }, (_, index) => `192.0.2.${index % 256}`).join(', ');
    expect(from('10.0.0.1', `${made}, 203.0.113.7`)).toBe('203.0.113.7');
  });

  it('is the peer everywhere until proxies are configured', () => {
    const peer = '127.0.0.1';
    const none = createTrustedProxies([], { log: { warn: () => {} } });
    expect(clientAddressOf({ peer, forwardedFor: '203.0.113.7' }, none)).toBe(peer);
  });

  it('is warned of once where a proxy is not named in TRUSTED_PROXIES', () => {
    const warn = vi.fn();
    const named = createTrustedProxies(cidrs, { log: { warn } });
    clientAddressOf({ peer: '10.0.0.1', forwardedFor: '203.0.113.7' }, named);
    clientAddressOf({ peer: '192.0.2.1', forwardedFor: null }, named);
    expect(warn).not.toHaveBeenCalled();
    for (const peer of ['192.0.2.1', '192.0.2.1', '192.0.2.2'])
      clientAddressOf({ peer, forwardedFor: '203.0.113.7' }, named);
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      { peer: '192.0.2.1' },
      expect.stringContaining('set TRUSTED_PROXIES to its address'),
    );
  });
});
