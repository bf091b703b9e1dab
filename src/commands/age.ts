import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { promisify } from 'node:util';

/**
 * The age format, version 1, with a passphrase (https://age-encryption.org/v1): what is written here opens with `age --decrypt`
 * too. The content is encrypted in chunks, each of which is verified before it is handed on.
 */

export class WrongPassphrase extends Error {}
export class DamagedAge extends Error {}

const intro = 'age-encryption.org/v1';
const chunkBytes = 64 * 1024;
const tagBytes = 16;
/** scrypt with N = 2^17, r = 8, p = 1: 128 MiB (OWASP, password storage). */
const workFactor = 17;
/** Of a file that somebody else made: 1 GiB. */
const highestWorkFactor = 20;
const mostHeaderBytes = 4_096;

/** Whether a file with this beginning is encrypted. */
export const isAge = (start: Buffer): boolean => start.toString('latin1').startsWith(`${intro}\n`);
export const introBytes = intro.length + 1;

export async function* encrypted(
  source: AsyncIterable<Buffer>,
  { passphrase }: { passphrase: string },
): AsyncGenerator<Buffer> {
  const [fileKey, salt, nonce] = [randomBytes(16), randomBytes(16), randomBytes(16)];
  const wrapped = seal(await wrapKeyOf(passphrase, { salt, factor: workFactor }), {
    nonce: Buffer.alloc(12),
    plain: fileKey,
  });
  const head = `${intro}\n-> scrypt ${base64(salt)} ${workFactor}\n${base64(wrapped)}\n---`;
  yield Buffer.from(`${head} ${base64(macOf(fileKey, head))}\n`);
  yield nonce;
  const key = payloadKey(fileKey, nonce);
  let counter = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    rest = Buffer.concat([rest, chunk]);
    // The last chunk is marked, so a full one waits until more follows.
    while (rest.length > chunkBytes) {
      yield seal(key, { nonce: nonceOf(counter++, false), plain: rest.subarray(0, chunkBytes) });
      rest = rest.subarray(chunkBytes);
    }
  }
  yield seal(key, { nonce: nonceOf(counter, true), plain: rest });
}

/** Throws WrongPassphrase, or DamagedAge at the first byte that is not as it was written. */
export async function* decrypted(
  source: AsyncIterable<Buffer>,
  { passphrase }: { passphrase: string },
): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  let isOver = false;
  const more = async () => {
    const next = await chunks.next();
    if (next.done === true) isOver = true;
    else rest = Buffer.concat([rest, next.value]);
  };
  while (headerEnd(rest) < 0 && rest.length < mostHeaderBytes && !isOver) await more();
  const end = headerEnd(rest);
  if (end < 0) throw new DamagedAge('its header does not end');
  const fileKey = await fileKeyIn(rest.toString('latin1', 0, end), passphrase);
  rest = rest.subarray(end + 1);
  while (rest.length < 16 && !isOver) await more();
  const key = payloadKey(fileKey, rest.subarray(0, 16));
  rest = rest.subarray(16);
  const sealedBytes = chunkBytes + tagBytes;
  for (let counter = 0; ; counter += 1) {
    while (rest.length <= sealedBytes && !isOver) await more();
    const isLast = isOver && rest.length <= sealedBytes;
    const plain = open(key, { nonce: nonceOf(counter, isLast), sealed: rest.subarray(0, sealedBytes) });
    if (plain === null) throw new DamagedAge(isLast ? 'it ends too early, or was changed' : 'it was changed');
    yield plain;
    if (isLast) return;
    rest = rest.subarray(sealedBytes);
  }
}

/** Where the line of the header's checksum ends; -1 before it is there. */
function headerEnd(bytes: Buffer): number {
  const mac = bytes.indexOf('\n--- ');
  return mac < 0 ? -1 : bytes.indexOf('\n', mac + 1);
}

async function fileKeyIn(header: string, passphrase: string): Promise<Buffer> {
  const found = /^age-encryption\.org\/v1\n-> scrypt ([\w+/]{22}) (\d{1,2})\n([\w+/]{43})\n--- ([\w+/]{43})$/.exec(
    header,
  );
  if (found === null) throw new DamagedAge('it is not encrypted with a passphrase');
  const [, salt = '', factor = '', wrapped = '', mac = ''] = found;
  if (Number(factor) < 1 || Number(factor) > highestWorkFactor)
    throw new DamagedAge('its work factor is out of bounds');
  const wrapKey = await wrapKeyOf(passphrase, { salt: Buffer.from(salt, 'base64'), factor: Number(factor) });
  const fileKey = open(wrapKey, { nonce: Buffer.alloc(12), sealed: Buffer.from(wrapped, 'base64') });
  if (fileKey === null) throw new WrongPassphrase();
  const head = header.slice(0, header.lastIndexOf(' '));
  if (!timingSafeEqual(macOf(fileKey, head), Buffer.from(mac, 'base64')))
    throw new DamagedAge('its header was changed');
  return fileKey;
}

const scryptOf = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

function wrapKeyOf(passphrase: string, { salt, factor }: { salt: Buffer; factor: number }): Promise<Buffer> {
  const N = 2 ** factor;
  const labelled = Buffer.concat([Buffer.from(`${intro}/scrypt`), salt]);
  return scryptOf(passphrase, labelled, 32, { N, r: 8, p: 1, maxmem: 2 * 128 * 8 * N });
}

const payloadKey = (fileKey: Buffer, nonce: Buffer) => Buffer.from(hkdfSync('sha256', fileKey, nonce, 'payload', 32));

const macOf = (fileKey: Buffer, head: string) =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', fileKey, Buffer.alloc(0), 'header', 32)))
    .update(head)
    .digest();

/** Eleven bytes that count, and one that marks the last chunk. */
function nonceOf(counter: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(counter, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

const algorithm = 'chacha20-poly1305';
const tagged = { authTagLength: tagBytes };

function seal(key: Buffer, { nonce, plain }: { nonce: Buffer; plain: Buffer }): Buffer {
  const cipher = createCipheriv(algorithm, key, nonce, tagged);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Null where it was sealed with another key, or changed since. */
function open(key: Buffer, { nonce, sealed }: { nonce: Buffer; sealed: Buffer }): Buffer | null {
  if (sealed.length < tagBytes) return null;
  const decipher = createDecipheriv(algorithm, key, nonce, tagged).setAuthTag(sealed.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
  } catch {
    return null;
  }
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/={1,2}$/, '');
