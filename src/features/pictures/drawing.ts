import type { PictureType } from '#contract/pictures.ts';

/** A picture that was parsed to its end; its bytes contain only what is needed to draw it. Sides in pixels. */
export type Drawing = { type: PictureType; width: number; height: number; bytes: Buffer };
