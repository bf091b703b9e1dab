import type { PictureType } from '#contract/pictures.ts';

/** A picture that was read to its end; its bytes contain only what draws it. Sides in pixels. */
export type Drawing = { type: PictureType; width: number; height: number; bytes: Buffer };
