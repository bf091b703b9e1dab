import { maxPictureBytes } from '#contract/pictures.ts';

const side = 256;

/**
 * The middle of a picture as a square of 256 pixels, as a data URL. It is drawn anew, so that places and cameras stay in the browser.
 * Throws when the file is not a picture that this browser can show.
 */
export async function drawSquare(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error('This file is not a picture. Choose a PNG, JPEG or WebP.');
  });
  const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side });
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser cannot draw pictures.');
  const shorter = Math.min(picture.width, picture.height);
  const [left, top] = [(picture.width - shorter) / 2, (picture.height - shorter) / 2];
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, left, top, shorter, shorter, 0, 0, side, side);
  picture.close();
  // A browser that cannot write WebP writes PNG, which may be too large.
  const url = canvas.toDataURL('image/webp', 0.9);
  if (url.length * 0.75 < maxPictureBytes) return url;
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = 'white';
  context.fillRect(0, 0, side, side);
  return canvas.toDataURL('image/jpeg', 0.9);
}
