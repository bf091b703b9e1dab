import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { understand } from '#domain/phrase.ts';

const at = { now: Temporal.Instant.from('2026-11-20T12:05:14Z'), timezone: 'Europe/London' };
const page = readFileSync(new URL('../../docs/phrases.md', import.meta.url), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| '));
const examplesOf = (part: string) => {
  const row = rows.find((line) => line.startsWith(`| ${part} |`)) ?? '';
  return [...(row.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, example = '']) => example);
};
const read = (line: string) => understand(`email ann@example.com ${line}`, at);

describe('the page about phrases', () => {
  const scheduled = [
    'once',
    'daily',
    'weekly',
    'several days',
    'exceptions',
    'monthly',
    'in a month',
    'over the year',
    'within the day',
  ];

  it('shows orders of channels that are understood whole', () => {
    const examples = examplesOf('channels in order');
    expect(examples.length).toBeGreaterThan(2);
    for (const example of examples) {
      const { isWhole, isInOrder, channels } = understand(
        `remind Ann every day at 9am ${example} that rent is due`,
        at,
      );
      expect({ example, isWhole, isInOrder, count: channels.length }).toEqual({
        example,
        isWhole: true,
        isInOrder: true,
        count: 2,
      });
    }
  });

  it.each([...scheduled, 'time of day', 'event'])('shows lines for %s that are understood whole', (part) => {
    const examples = examplesOf(part);
    expect(examples.length).toBeGreaterThan(2);
    for (const example of examples) {
      const { schedule, leftOver, problems } = read(example);
      expect({ example, isRead: schedule !== null, leftOver, problems }).toEqual({
        example,
        isRead: true,
        leftOver: [],
        problems: [],
      });
    }
  });

  it.each(['from, until', 'timezone'])('shows the additions to a schedule: %s', (part) => {
    const examples = examplesOf(part);
    expect(examples.length).toBeGreaterThan(4);
    for (const example of examples) {
      const { schedule, leftOver, problems } = read(`every day at 9:00 ${example.replace(/^9am /, '')}`);
      expect({ example, isRead: schedule !== null, leftOver, problems }).toEqual({
        example,
        isRead: true,
        leftOver: [],
        problems: [],
      });
    }
  });
});
