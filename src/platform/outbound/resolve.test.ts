import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createResolve, type Resolve } from './resolve.ts';

/** The addresses of each name; a name without an entry does not exist, one with null is never answered. */
const zone: Record<string, { A?: string; AAAA?: string; count?: number } | null> = {
  'many.example': { A: '93.184.215.14', count: 25 },
  'both.example': { A: '93.184.215.14', AAAA: '2606:2800::1' },
  'six.example': { AAAA: '2606:2800::2' },
  'slow.example': null,
};

let nameServer: ReturnType<typeof createSocket>;
let asked: string[];
let resolve: Resolve;

beforeEach(async () => {
  asked = [];
  nameServer = createSocket('udp4').on('message', (question, from) => {
    const { name, type, end } = readQuestion(question);
    asked.push(`${name} ${type}`);
    if (zone[name] !== null)
      nameServer.send(answer(question.subarray(0, end), { name, type }), from.port, from.address);
  });
  nameServer.bind(0, '127.0.0.1');
  await once(nameServer, 'listening');
  resolve = createResolve({ timeoutMs: 50, servers: [`127.0.0.1:${nameServer.address().port}`] });
});

afterEach(() => void nameServer.close());

describe('the resolving of names', () => {
  it('brings all addresses, IPv4 first', async () => {
    expect(await resolve('both.example')).toEqual(['93.184.215.14', '2606:2800::1']);
    expect(await resolve('six.example')).toEqual(['2606:2800::2']);
  });

  it('brings the first ten of a kind', async () => {
    expect(await resolve('many.example')).toHaveLength(10);
  });

  it('asks once for a name, however it is written', async () => {
    const answers = await Promise.all([resolve('both.example'), resolve('Both.Example'), resolve('both.example.')]);
    expect(new Set(answers).size).toBe(1);
    expect(asked.toSorted()).toEqual(['both.example A', 'both.example AAAA']);
  });

  it('gives up on a name server that does not answer, and asks anew next time', async () => {
    await expect(resolve('slow.example')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    const before = asked.length;
    await expect(resolve('slow.example')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    expect(asked.length).toBeGreaterThan(before);
  });

  it('knows the loopback names without asking', async () => {
    expect(await resolve('localhost')).toEqual(['127.0.0.1', '::1']);
    expect(await resolve('app.localhost')).toEqual(['127.0.0.1', '::1']);
    expect(asked).toEqual([]);
  });

  it('finds the names that only this machine knows as the system does', async () => {
    const system = await lookup(hostname(), { all: true, order: 'ipv4first' }).catch(() => []);
    expect(await resolve(hostname()).catch(() => [])).toEqual(system.map(({ address }) => address));
    expect(asked).toContain(`${hostname().toLowerCase()} A`);
  });
});

const types = { 1: 'A', 28: 'AAAA' } as const;

function readQuestion(packet: Buffer): { name: string; type: 'A' | 'AAAA' | undefined; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = packet.readUInt8(at); length > 0; length = packet.readUInt8(at)) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const code = packet.readUInt16BE(at + 1);
  return {
    name: labels.join('.').toLowerCase(),
    type: code === 1 || code === 28 ? types[code] : undefined,
    end: at + 5,
  };
}

/** RFC 1035, 4.1: the question again, then one record that points to its name. */
function answer(question: Buffer, { name, type }: { name: string; type: 'A' | 'AAAA' | undefined }): Buffer {
  const address = type && zone[name]?.[type];
  const packet = Buffer.from(question);
  packet.writeUInt16BE(name in zone ? 0x8180 : 0x8183, 2);
  const count = zone[name]?.count ?? 1;
  packet.writeUInt16BE(address ? count : 0, 6);
  packet.writeUInt16BE(0, 10);
  if (!address) return packet;
  const bytes = type === 'A' ? Buffer.from(address.split('.').map(Number)) : bytesOfIpv6(address);
  const record = Buffer.from([0xc0, 12, 0, type === 'A' ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, bytes.length]);
  return Buffer.concat([packet, ...Array(count).fill(Buffer.concat([record, bytes]))]);
}

function bytesOfIpv6(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::');
  const [first, last] = [head, tail].map((part) => part.split(':').filter(Boolean));
  const groups = [
    ...(first ?? []),
    ...Array(8 - (first?.length ?? 0) - (last?.length ?? 0)).fill('0'),
    ...(last ?? []),
  ];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
