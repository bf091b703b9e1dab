import type { Drawing } from '#features/pictures/drawing.ts';

/** Baseline, extended and progressive frames, which browsers can draw (ITU-T T.81, table B.1). */
const frames = new Set([0xc0, 0xc1, 0xc2]);
/** The segments with tables of coefficients and codes, and with the restart interval. */
const tables = new Set([0xdb, 0xc4, 0xdd]);
const [startOfScan, endOfImage, adobe, comment] = [0xda, 0xd9, 0xee, 0xfe];

const isApplication = (marker: number) => marker >= 0xe0 && marker <= 0xef;

export const isJpeg = (bytes: Buffer): boolean => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));

/**
 * Parses a JPEG from its first segment to its last. Keeps only what is needed to draw it, without locations, cameras, thumbnails and comments. Null
 * where it is not complete, or continues after its end.
 */
export function readJpeg(bytes: Buffer): Drawing | null {
  const kept: Buffer[] = [bytes.subarray(0, 2)];
  let size: { width: number; height: number } | null = null;
  let hasScan = false;
  for (let at = 2; at + 2 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return null;
    if (marker === endOfImage) {
      if (size === null || !hasScan || at + 2 !== bytes.length) return null;
      return { type: 'image/jpeg', ...size, bytes: Buffer.concat([...kept, bytes.subarray(at)]) };
    }
    if (at + 4 > bytes.length) return null;
    const length = bytes.readUInt16BE(at + 2);
    const end = marker === startOfScan ? endOfScan(bytes, at + 2 + length) : at + 2 + length;
    if (length < 2 || end > bytes.length) return null;
    if (frames.has(marker)) {
      if (size !== null || length < 8) return null;
      size = { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    if (marker === startOfScan && size === null) return null;
    hasScan ||= marker === startOfScan;
    // Adobe's segment is kept, because it says how colours are stored.
    if (frames.has(marker) || tables.has(marker) || marker === startOfScan || (marker === adobe && length === 14))
      kept.push(bytes.subarray(at, end));
    else if (!isApplication(marker) && marker !== comment) return null;
    at = end;
  }
  return null;
}

/** Where the next segment begins: 0xFF followed by 0 is data, and by 0xD0 to 0xD7 a restart of the decoder. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 2)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}
