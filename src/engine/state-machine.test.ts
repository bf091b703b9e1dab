import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { deliveryStatuses } from '#contract/deliveries.ts';
import { jobStatuses } from '#contract/job-states.ts';

const page = await readFile('docs/state-machine.md', 'utf8');
const sections = page.split(/^## /m).slice(1);

const arrowsIn = (section: string) =>
  [...section.matchAll(/^ {2}(\S+) --> (\S+): (.+)$/gm)].map(([, from = '', to = '', names = '']) => ({
    from,
    to,
    names: names.split(', '),
  }));

/** Rows of a section's table: functions, and the file that has them. */
const definitionsIn = (section: string) =>
  [...section.matchAll(/^\| (`[^|]+`) \| `([^|]+)` \|/gm)].flatMap(([, names = '', file = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ name, file })),
  );

const definitions = sections.flatMap(definitionsIn);

describe('the page of states', () => {
  it.each(definitions)('names $name, which $file has', async ({ name, file }) => {
    expect(await readFile(file, 'utf8')).toMatch(
      new RegExp(`^ *(?:export )?(?:async )?(?:(?:const|function) )?${name}(?: =|\\(|<)`, 'm'),
    );
  });

  it.each(sections.map((section) => [section.split('\n')[0] ?? '', section]))(
    'says where each arrow is made: %s',
    (_, section) => {
      const named = new Set(arrowsIn(section).flatMap(({ names }) => names));
      const defined = new Set(definitionsIn(section).map(({ name }) => name));
      expect(named.size).toBeGreaterThan(10);
      expect([...named].filter((name) => !defined.has(name))).toEqual([]);
    },
  );

  it('has every state of a job and of a delivery', () => {
    const [ofJobs = '', ofDeliveries = ''] = sections;
    const statesIn = (section: string) =>
      [...new Set(arrowsIn(section).flatMap(({ from, to }) => [from, to]))].filter((state) => state !== '[*]').sort();
    expect(statesIn(ofJobs)).toEqual([...jobStatuses].sort());
    expect(statesIn(ofDeliveries)).toEqual([...deliveryStatuses].sort());
  });
});
