import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { docsPages } from '#contract/docs-pages.ts';
import { renderMarkdown } from '#pages/docs/markdown.ts';
import { createSearch, searchLimits } from '#pages/docs/search.ts';
import { searchEntries } from '#pages/docs/search-entries.ts';

const entries = docsPages.flatMap((page) =>
  searchEntries({ page, rendered: renderMarkdown(readFileSync(`docs/${page.name}.md`, 'utf8')) }),
);
const search = createSearch(entries);
const paths = (query: string) => search(query).map(({ path }) => path);

describe('the search of the documentation', () => {
  it.each([
    ['cron expression', '/docs/phrases#cron-expressions'],
    ['Twilio sms', '/docs/providers#sms-twilio'],
    ['bounces', '/docs/channels#bounces'],
    ['SENDING hour', '/docs/reminders#sending-hours'],
    ['api key', '/docs/api#an-api-key'],
    ['restore', '/docs/operations#restore'],
    ['unsubscrib', '/docs/channels#unsubscribing'],
    ['retry', '/docs/jobs'],
  ])('finds by “%s” among the first three: %s', (query, path) => {
    expect(paths(query).slice(0, 3).join(' ')).toContain(path);
  });

  it('finds nothing for nothing, for a word that is nowhere, and for one that has to stand beside it', () => {
    expect(['', '  ', '?!', 'xylophone', 'bounces xylophone'].map(paths)).toEqual([[], [], [], [], []]);
  });

  it('shows the words around the place', () => {
    const [found] = createSearch([{ path: '/a', page: 'A', heading: 'B', text: `${'x '.repeat(200)}needle end` }])(
      'need',
    );
    expect(found?.excerpt).toMatch(/^… .*needle end$/);
  });

  it('is bounded, whatever is entered', () => {
    expect(paths('the').length).toBe(searchLimits.results);
    expect(paths('a '.repeat(100_000)).length).toBeLessThanOrEqual(searchLimits.results);
    for (const { excerpt } of search('the')) expect(excerpt.length).toBeLessThanOrEqual(searchLimits.excerpt + 4);
  });

  it('loads less than 250 kB', () => {
    expect(Buffer.byteLength(JSON.stringify(entries))).toBeLessThan(250_000);
  });
});
