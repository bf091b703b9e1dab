import { describe, expect, it } from 'vitest';
import { createEgressGuard } from './guard.ts';

const names: Record<string, string[]> = {
  'public.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'inside.example': ['10.1.2.3'],
  'mixed.example': ['93.184.215.14', '127.0.0.1'],
  'rebind.example': ['93.184.215.14', '::ffff:169.254.169.254'],
  'metadata.google.internal': ['169.254.169.254'],
  'build.internal': ['93.184.215.14'],
  localhost: ['127.0.0.1', '::1'],
};

async function resolve(name: string): Promise<string[]> {
  const found = names[name];
  if (!found) throw new Error(`ENOTFOUND ${name}`);
  return found;
}

const guard = createEgressGuard({ allow: [], exact: () => [], resolve });

describe('the egress guard', () => {
  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '192.0.0.8',
    '198.18.0.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::169.254.169.254',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '2001:db8::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '1::1',
    '4000::1',
    '3fff::1',
    '5f00::1',
    '2130706433',
    '0177.0.0.1',
    'not an address',
    '',
  ])('refuses to connect to %s', (ip) => {
    expect(guard.checkAddress(ip, 443)).toHaveProperty('refused');
  });

  it.each(['8.8.8.8', '93.184.215.14', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('lets through %s', (ip) => {
    expect(guard.checkAddress(ip, 443)).toBe('allowed');
  });

  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://①②⑦.⓪.⓪.①/',
    'http://%31%32%37.0.0.1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://inside.example/',
    'http://mixed.example/',
    'http://rebind.example/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://build.internal/',
    'http://printer.local/',
    'http://intranet/',
    'http://169.254.169.254/latest/meta-data/',
  ])('does not save the webhook URL %s', async (url) => {
    expect(await guard.checkUrl(url)).toHaveProperty('refused');
  });

  it.each([
    ['ftp://public.example/', 'A URL must begin with http:// or https://.'],
    ['javascript:alert(1)', 'A URL must begin with http:// or https://.'],
    ['https://user:secret@public.example/', 'A URL must not hold a user name or password; use a header instead.'],
    ['public.example/hook', 'This is not a complete URL, such as https://example.com/hook.'],
    ['https://public.example:6379/', 'Port 6379 belongs to another protocol: no web address may name it'],
    ['http://intranet/', 'intranet is a name of an internal network.'],
    ['http://0x7f.1/', '127.0.0.1 is a loopback address, which Cuebird does not connect to.'],
  ])('says what is wrong with %s', async (url, sentence) => {
    expect(await guard.checkUrl(url)).toEqual({ refused: sentence });
  });

  it.each(['https://public.example/hook', 'https://public.example.:8443/hook', 'https://not-yet-there.example/'])(
    'saves the webhook URL %s',
    async (url) => {
      expect(await guard.checkUrl(url)).toBe('allowed');
    },
  );

  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '::1',
    '[::1]',
    'fe80::1%lo',
    'localhost.',
    'inside.example',
    'a b',
    '',
  ])('does not save the SMTP host “%s”', async (host) => {
    expect(await guard.checkHost(host, 587)).toHaveProperty('refused');
  });

  it('resolves a name once for a connection and refuses it when any answer is refused', async () => {
    expect(await lookUp('mixed.example')).toMatchObject({
      message: 'mixed.example leads to an address that Cuebird does not connect to.',
    });
    expect(await lookUp('public.example')).toEqual([
      { address: '93.184.215.14', family: 4 },
      { address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c', family: 6 },
    ]);
  });

  it('says the same of every name that leads inside, and tells no address', async () => {
    const inside = ['inside.example', 'mixed.example', 'rebind.example'];
    for (const name of inside) {
      const refused = { refused: `${name} leads to an address that Cuebird does not connect to.` };
      expect(await guard.checkUrl(`https://${name}/`)).toEqual(refused);
      expect(await guard.checkHost(name, 587)).toEqual(refused);
      expect(await lookUp(name)).toMatchObject({ message: refused.refused });
    }
    // There is one of these names, and there is not: nobody learns which.
    for (const name of ['metadata.google.internal', 'printer.local', 'intranet', 'localhost'])
      expect(await guard.checkUrl(`http://${name}/`)).toEqual({ refused: `${name} is a name of an internal network.` });
  });

  it.each([1, 22, 25, 53, 110, 143, 465, 587, 993, 6000, 6379, 6667, 10080, 11211])(
    'refuses port %i to web addresses, whatever EGRESS_ALLOW names, and not to mail',
    async (port) => {
      const open = createEgressGuard({ allow: ['0.0.0.0/0', '::/0'], exact: () => [], resolve });
      expect(await open.checkUrl(`http://public.example:${port}/`)).toHaveProperty('refused');
      expect(await open.checkUrl(`https://93.184.215.14:${port}/`)).toHaveProperty('refused');
      expect(await open.checkHost('public.example', port)).toBe('allowed');
    },
  );

  it('lets through the networks that EGRESS_ALLOW names, in every spelling, and no others', async () => {
    const open = createEgressGuard({ allow: ['10.1.0.0/16', 'fd00::/8'], exact: () => [], resolve });
    expect(open.checkAddress('10.1.255.1', 80)).toBe('allowed');
    expect(open.checkAddress('::ffff:10.1.0.1', 80)).toBe('allowed');
    expect(open.checkAddress('fd12::1', 80)).toBe('allowed');
    expect(open.checkAddress('10.2.0.1', 80)).toHaveProperty('refused');
    expect(await open.checkUrl('http://inside.example/')).toBe('allowed');
  });

  it('names a malformed network of EGRESS_ALLOW', () => {
    expect(() => createEgressGuard({ allow: ['10.0.0.0/33'], exact: () => [] })).toThrow('EGRESS_ALLOW: “10.0.0.0/33”');
  });

  it('lets through our own sandbox by exact address and port only', async () => {
    const own = createEgressGuard({ allow: [], exact: () => [{ host: '127.0.0.1', port: 4025 }], resolve });
    expect(own.checkAddress('127.0.0.1', 4025)).toBe('allowed');
    expect(own.checkAddress('127.0.0.1', 4026)).toHaveProperty('refused');
    expect(own.checkAddress('127.0.0.2', 4025)).toHaveProperty('refused');
    expect(await own.checkUrl('http://127.0.0.1:4025/hooks/x')).toBe('allowed');
    expect(await own.checkUrl('http://127.0.0.1/hooks/x')).toHaveProperty('refused');
    const odd = createEgressGuard({ allow: [], exact: () => [{ host: '::1', port: 6000 }], resolve });
    expect(await odd.checkUrl('http://[::1]:6000/hooks/x')).toBe('allowed');
    expect(await odd.checkUrl('http://127.0.0.1:6000/hooks/x')).toHaveProperty('refused');
  });
});

function lookUp(name: string): Promise<unknown> {
  return new Promise((settle) => {
    guard.lookup(443)(name, { all: true }, (error, answers) => settle(error ?? answers));
  });
}
