import { createHash } from 'node:crypto';
import { maxPictureBytes, maxPictureSide, type PictureType } from '#contract/pictures.ts';
import type { Drawing } from '#features/pictures/drawing.ts';
import { isJpeg, readJpeg } from '#features/pictures/jpeg.ts';
import { isPng, readPng } from '#features/pictures/png.ts';
import { isWebp, readWebp } from '#features/pictures/webp.ts';
import { Invalid } from '#platform/errors.ts';

export type Picture = { type: PictureType; bytes: Buffer; sha256: string };

/**
 * Checks an uploaded picture by its bytes, which must match the type that it claims. Throws Invalid.
 * @param dataUrl as `HTMLCanvasElement.toDataURL` writes it, in base64
 */
export function readPicture(dataUrl: string): Picture {
  const comma = dataUrl.indexOf(',');
  const declared = dataUrl.slice('data:'.length, comma - ';base64'.length);
  const bytes = Buffer.from(dataUrl.slice(comma + 1), 'base64');
  if (bytes.length > maxPictureBytes) throw wrong(`must be at most ${maxPictureBytes / 1024} KiB`);
  const drawing = drawingOf(bytes);
  if (drawing === null) throw wrong('is not a whole PNG, JPEG or WebP picture');
  if (drawing.type !== declared) throw wrong(`is ${drawing.type}, not ${declared}`);
  const longest = Math.max(drawing.width, drawing.height);
  if (longest > maxPictureSide || Math.min(drawing.width, drawing.height) < 1)
    throw wrong(`must be at most ${maxPictureSide} pixels wide and high`);
  const sha256 = createHash('sha256').update(drawing.bytes).digest('hex');
  return { type: drawing.type, bytes: drawing.bytes, sha256 };
}

function drawingOf(bytes: Buffer): Drawing | null {
  if (isPng(bytes)) return readPng(bytes);
  if (isJpeg(bytes)) return readJpeg(bytes);
  return isWebp(bytes) ? readWebp(bytes) : null;
}

const wrong = (message: string) => new Invalid([{ path: 'picture', message }]);
