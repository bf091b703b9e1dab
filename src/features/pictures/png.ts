import { crc32 } from 'node:zlib';
import type { Drawing } from '#features/pictures/drawing.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The chunks that draw the picture. Text, times, profiles and animations are left out. */
const drawing = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/** Bit 5 of the first letter: a decoder that does not know the chunk may skip it. */
const isAncillary = (type: string) => /^[a-z]/.test(type);

export const isPng = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(signature);

/** Parses a PNG from its first chunk to its last (W3C, PNG 3, section 5). Null where it is not complete, or continues after its end. */
export function readPng(bytes: Buffer): Drawing | null {
  const kept: Buffer[] = [signature];
  let size: { width: number; height: number } | null = null;
  let hasPixels = false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return null;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if ((size === null) !== (type === 'IHDR')) return null;
    if (type === 'IHDR' && end - at !== 25) return null;
    if (size === null) size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    if (!drawing.has(type) && !isAncillary(type)) return null;
    if (drawing.has(type)) kept.push(bytes.subarray(at, end));
    hasPixels ||= type === 'IDAT';
    if (type === 'IEND')
      return hasPixels && end === bytes.length ? { type: 'image/png', ...size, bytes: Buffer.concat(kept) } : null;
    at = end;
  }
  return null;
}
