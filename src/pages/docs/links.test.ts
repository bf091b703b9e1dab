import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isWebPath } from '#contract/web-routes.ts';
import { docsGroups, docsPages, docsPath, tutorials } from '#contract/docs-pages.ts';
import { headingIds, renderMarkdown } from '#pages/docs/markdown.ts';
import { walks } from '#pages/docs/walks/walks.ts';

const all = (pattern: string): string[] =>
  globSync(pattern, { exclude: (name) => /(^|\/)(node_modules|dist)(\/|$)/.test(name) }).toSorted();

const files = [...all('*.md'), ...all('docs/**/*.md'), ...all('bench/*.md')];
const texts = new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)));

/** Without what is code, where brackets mean something else. */
const proseOf = (text: string) => text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');

const anchorsOf = (text: string): Set<string> => {
  const ids = headingIds();
  const headings = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm)];
  return new Set(headings.map(([, title = '']) => ids(title.replaceAll('`', ''))));
};

const pages = new Map(
  docsPages.map(({ name }) => [docsPath(name), renderMarkdown(texts.get(`docs/${name}.md`) ?? '')] as const),
);

/** Null where it leads; otherwise what is wrong with it. */
function problemOf(address: string): string | null {
  const [path = '', anchor] = address.split('#');
  const isDrawn = path === '/docs' || path === docsPath(tutorials.name) || ['/privacy', '/terms'].includes(path);
  const page = pages.get(path);
  if (page === undefined && !isDrawn && !isWebPath(path.split('?')[0] ?? '')) return `${path} is no page`;
  if (anchor === undefined) return null;
  const ids = path === docsPath(tutorials.name) ? walks.map(({ id }) => id) : page?.headings.map(({ id }) => id);
  return ids === undefined || ids.includes(anchor) ? null : `${path} has no #${anchor}`;
}

describe('the Markdown files', () => {
  it.each(files)('%s links to files and headings that exist', (file) => {
    const links = [...proseOf(texts.get(file) ?? '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const wrong = links
      .filter((target) => !/^(https?|mailto):/.test(target))
      .filter((target) => {
        const [path = '', anchor] = target.split('#');
        const linked = path === '' ? file : relative('.', join(dirname(file), path));
        if (!existsSync(linked)) return true;
        return anchor !== undefined && !anchorsOf(texts.get(linked) ?? '').has(anchor);
      });
    expect(wrong).toEqual([]);
  });
});

describe('the pages of the documentation', () => {
  it('have a file each, and no name twice', () => {
    expect(docsPages.filter(({ name }) => !texts.has(`docs/${name}.md`))).toEqual([]);
    expect(new Set(docsPages.map(({ name }) => name)).size).toBe(docsPages.length);
    expect(docsGroups.length).toBeGreaterThan(3);
  });

  it.each([...pages])('%s leads to pages and headings that exist, and shows pictures that exist', (path, page) => {
    const addresses = [...page.html.matchAll(/ href="([^"]+)"/g)]
      .map(([, href = '']) => (href.startsWith('#') ? `${path}${href}` : href))
      .filter((href) => !/^(https:|mailto:)/.test(href));
    expect(addresses.length).toBeGreaterThan(1);
    expect(addresses.map(problemOf).filter((problem) => problem !== null)).toEqual([]);
    const ids = page.headings.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const pictures = [...page.html.matchAll(/ src="([^"]+)"/g)].map(([, src]) => src);
    expect(pictures.filter((src) => !existsSync(`src/web/public${src}`))).toEqual([]);
  });

  it('are what screens and messages link to', async () => {
    const sources = all('src/**/*.{ts,tsx}').filter((file) => !file.includes('.test.'));
    const found = await Promise.all(
      sources.map(async (file) =>
        [...(await readFile(file, 'utf8')).matchAll(/["'`}](\/docs(?:\/[\w-]+)?(?:#[\w-]+)?)["'`]/g)].map(
          ([, address = '']) => ({ file, problem: problemOf(address) }),
        ),
      ),
    );
    expect(found.flat().length).toBeGreaterThan(5);
    expect(found.flat().filter(({ problem }) => problem !== null)).toEqual([]);
  });
});
