import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time, whatever the lengths. */
export const isSameSecret = (given: string, due: string): boolean => timingSafeEqual(digest(given), digest(due));

const digest = (text: string) => createHash('sha256').update(text).digest();
