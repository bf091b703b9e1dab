import { expect, it } from 'vitest';
import { wallTimeIn } from './wall-time.ts';

it('a stored wall time is shown unchanged in any zone', () => {
  expect(wallTimeIn('2026-12-01T09:00:00', 'Asia/Tokyo')).toBe('2026-12-01T09:00:00');
  expect(wallTimeIn('2026-12-01T09:00', 'Asia/Tokyo')).toBe('2026-12-01T09:00:00');
  expect(wallTimeIn('2026-12-01T09:00:00.123', 'Asia/Tokyo')).toBe('2026-12-01T09:00:00');
});

it('a stored instant is shown as wall time of the zone', () => {
  expect(wallTimeIn('2026-12-01T23:30:00Z', 'Asia/Tokyo')).toBe('2026-12-02T08:30:00');
  expect(wallTimeIn('2026-07-01T00:00:00+02:00', 'Europe/Berlin')).toBe('2026-07-01T00:00:00');
});
