import type { Drawing } from '#features/pictures/drawing.ts';

export const isWebp = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';

type Size = { width: number; height: number };
type Chunk = { type: string; data: Buffer };

/** The only flag of the extended header that is kept: the picture has an alpha channel. */
const hasAlpha = 0x10;

/**
 * Parses a still WebP (RFC 9649, section 2), leaving out profiles, locations and cameras. Null where it is not complete, is animated, or continues
 * after its end.
 */
export function readWebp(bytes: Buffer): Drawing | null {
  if (bytes.length < 12 || bytes.readUInt32LE(4) + 8 !== bytes.length) return null;
  const chunks = chunksOf(bytes.subarray(12));
  if (chunks === null || chunks.some(({ type }) => type === 'ANIM' || type === 'ANMF')) return null;
  const [extended] = chunks.filter(({ type }) => type === 'VP8X');
  const [picture, ...others] = chunks.filter(({ type }) => type === 'VP8 ' || type === 'VP8L');
  if (picture === undefined || others.length > 0) return null;
  const size = picture.type === 'VP8 ' ? sizeOfLossy(picture.data) : sizeOfLossless(picture.data);
  if (size === null) return null;
  if (extended === undefined) return { type: 'image/webp', ...size, bytes: fileOf([picture]) };
  const canvas = sizeOfCanvas(extended.data);
  if (canvas === null || canvas.width !== size.width || canvas.height !== size.height) return null;
  const header = Buffer.from(extended.data);
  header[0] = (header[0] ?? 0) & hasAlpha;
  const alpha = chunks.filter(({ type }) => type === 'ALPH').slice(0, 1);
  return { type: 'image/webp', ...size, bytes: fileOf([{ type: 'VP8X', data: header }, ...alpha, picture]) };
}

/** The chunks of a file; null where one has another length than it says. After one of odd length comes a zero. */
function chunksOf(bytes: Buffer): Chunk[] | null {
  const chunks: Chunk[] = [];
  let at = 0;
  while (at + 8 <= bytes.length) {
    const end = at + 8 + bytes.readUInt32LE(at + 4);
    if (end > bytes.length) return null;
    chunks.push({ type: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, end) });
    at = end + (end % 2);
  }
  return at === bytes.length ? chunks : null;
}

function fileOf(chunks: readonly Chunk[]): Buffer {
  const body = Buffer.concat(
    chunks.flatMap(({ type, data }) => {
      const head = Buffer.alloc(8);
      head.write(type, 'latin1');
      head.writeUInt32LE(data.length, 4);
      return [head, data, Buffer.alloc(data.length % 2)];
    }),
  );
  const head = Buffer.from('RIFF....WEBP', 'latin1');
  head.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([head, body]);
}

/** The size in a lossy picture's key frame (RFC 6386, section 9.1). */
function sizeOfLossy(data: Buffer): Size | null {
  if (data.length < 10 || (data[0] ?? 1) % 2 === 1 || data.readUIntBE(3, 3) !== 0x9d012a) return null;
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
}

/** The size of a lossless picture (RFC 9649, section 3.4). */
function sizeOfLossless(data: Buffer): Size | null {
  if (data.length < 5 || data[0] !== 0x2f) return null;
  const bits = data.readUInt32LE(1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

const sizeOfCanvas = (data: Buffer): Size | null =>
  data.length === 10 ? { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 } : null;
