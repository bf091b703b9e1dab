import { describe, expect, it } from 'vitest';
import { durationText } from './duration.ts';
import { keepsForMs, relativeText } from './relative-time.ts';

// Noon in the local zone, so that the calendar days are the same in every zone.
const now = new Date(2026, 10, 20, 12, 0, 0);
const after = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString();
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('an instant in words', () => {
  it.each([
    [20_000, 'in a moment'],
    [-20_000, 'just now'],
    [12 * minute, 'in 12 minutes'],
    [-59 * minute, '59 minutes ago'],
    [-59.7 * minute, '1 hour ago'],
    [11 * hour, 'in 11 hours'],
    [13 * hour, 'tomorrow'],
    [-13 * hour, 'yesterday'],
    [3 * day, 'in 3 days'],
    [-60 * day, '2 months ago'],
    [800 * day, 'in 2 years'],
  ])('%d ms from now reads "%s"', (distance, words) => {
    expect(relativeText(after(distance), now)).toBe(words);
  });

  it('is read again when the instant passes, so that “in a moment” is never said of the past', () => {
    expect(keepsForMs(after(20_000), now)).toBe(20_000);
    expect(relativeText(after(20_000), new Date(now.getTime() + 20_000))).toBe('just now');
    expect([keepsForMs(after(hour), now), keepsForMs(after(-hour), now)]).toEqual([30_000, 30_000]);
  });
});

describe('a duration in hours, minutes and seconds', () => {
  it.each([
    [0, '0.0s'],
    [-5, '0.0s'],
    [420, '0.4s'],
    [9_949, '9.9s'],
    [9_950, '10s'],
    [59_499, '59s'],
    [59_600, '1m 00s'],
    [61_000, '1m 01s'],
    [3_599_700, '1h 0m 00s'],
    [3_725_000, '1h 2m 05s'],
    [90_061_000, '25h 1m 01s'],
  ])('%d ms read "%s"', (milliseconds, words) => {
    expect(durationText(milliseconds)).toBe(words);
  });
});
