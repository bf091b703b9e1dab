import { describe, expect, it } from 'vitest';
import { understand } from '#domain/phrase.ts';
import { zoneChoices } from '#web/features/reminders/form/zones.ts';

const now = Temporal.Instant.from('2026-11-20T12:05:14Z');
const zoneOf = (words: string) =>
  understand(`every Monday at 9am ${words} email ann@example.com`, { now, timezone: 'Europe/London' }).schedule?.config
    .timezone;
const cityOf = (zone: string) => (zone.split('/').at(-1) ?? '').replaceAll('_', ' ');

// Letters and numbers of the tz database that are not places; people write them in full.
const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/') && !zone.startsWith('Etc/'));

describe('the zone', () => {
  it('is found for each zone of the form, by its city and by its full name', () => {
    for (const { value } of zoneChoices(new Date(0), []).flatMap(({ items }) => items)) {
      expect(zoneOf(`${cityOf(value)} time`)).toBe(value);
      expect(zoneOf(value)).toBe(value);
    }
  });

  it('is found for every zone, by its city', () => {
    const missed = zones.filter((zone) => {
      const said = zoneOf(`${cityOf(zone)} time`);
      return said === undefined || hoursOf(said) !== hoursOf(zone);
    });
    expect(zones.length).toBeGreaterThan(400);
    expect(missed).toEqual([]);
  });

  it.each([
    ['CET', 'Europe/Berlin'],
    ['Central European time', 'Europe/Berlin'],
    ['EST', 'America/New_York'],
    ['Eastern time', 'America/New_York'],
    ['UTC', 'UTC'],
    ['GMT', 'UTC'],
    ['JST', 'Asia/Tokyo'],
    ['in New York', 'America/New_York'],
    ['Berlin', 'Europe/Berlin'],
    ['in Hamburg', 'Europe/Berlin'],
    ['São Paulo time', 'America/Sao_Paulo'],
    ['Kyiv time', 'Europe/Kyiv'],
    ['europe/berlin', 'Europe/Berlin'],
    ['US/Eastern', 'US/Eastern'],
    ['my time', 'Europe/London'],
  ])('is also “%s”', (words, zone) => {
    expect(zoneOf(words)).toBe(zone);
  });

  it('is not a word that only looks like one', () => {
    expect(zoneOf('for the Berlin office')).toBe('Europe/London');
    expect(zoneOf('central')).toBeUndefined();
  });
});

/** Two names of the same zone have the same clocks, in winter and in summer. */
const hoursOf = (zone: string) =>
  ['2026-01-15T12:00Z', '2026-07-15T12:00Z']
    .map((at) => Temporal.Instant.from(at).toZonedDateTimeISO(zone).offset)
    .join();
