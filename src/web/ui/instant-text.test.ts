import { expect, it } from 'vitest';
import { dayText, momentText } from '#web/ui/InstantText.tsx';

it('shows an instant in its own zone, with the offset of that day', () => {
  expect(momentText('2026-11-24T08:00:00Z', 'Asia/Kathmandu')).toBe('Tue, 24 Nov 2026, 13:45 GMT+5:45');
  expect(momentText('2026-07-01T22:30:00Z', 'Pacific/Auckland')).toBe('Thu, 2 Jul 2026, 10:30 GMT+12');
});

it("shows the zone's day, which may be another than the day in UTC", () => {
  expect(dayText('2026-01-01T02:00:00Z', 'America/New_York')).toBe('31 Dec 2025');
});

it('falls back to UTC where the browser does not know the zone', () => {
  expect(momentText('2026-11-24T08:00:00Z', 'Mars/Olympus')).toBe('Tue, 24 Nov 2026, 08:00 UTC');
});
