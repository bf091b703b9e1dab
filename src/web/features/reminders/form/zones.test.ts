import { expect, it } from 'vitest';
import { TimeZone } from '#contract/schedules.ts';
import { zoneChoices } from './zones.ts';

const winter = new Date('2026-12-01T00:00:00Z');
const zonesOf = (others: string[]) => zoneChoices(winter, others).flatMap(({ items }) => items);

it('about 55 zones are offered, including UTC, and the server accepts each', () => {
  const zones = zonesOf([]).map(({ value }) => value);
  expect(new Set(zones).size).toBe(zones.length);
  expect(zones.length).toBeGreaterThanOrEqual(54);
  expect(zones.length).toBeLessThanOrEqual(60);
  expect(zones).toContain('UTC');
  const groups = zoneChoices(winter, []).map(({ group }) => group);
  expect(groups).toEqual(['UTC', 'Americas', 'Europe', 'Asia', 'Australia and Pacific', 'Africa']);
  expect(zones.filter((zone) => !TimeZone.safeParse(zone).success)).toEqual([]);
});

it('a zone is shown with its offset of the day', () => {
  const labels = new Map(zonesOf([]).map(({ value, label }) => [value, label]));
  expect(labels.get('America/New_York')).toBe('America/New York (UTC-05:00)');
  expect(labels.get('UTC')).toBe('UTC (UTC+00:00)');
});

it("the browser's zone is added where it is missing, and only there", () => {
  expect(zoneChoices(winter, ['Europe/Berlin'])[0]?.group).toBe('UTC');
  expect(zoneChoices(winter, ['Atlantic/Reykjavik', 'Atlantic/Reykjavik'])[0]).toMatchObject({
    group: 'Yours',
    items: [{ value: 'Atlantic/Reykjavik' }],
  });
});
