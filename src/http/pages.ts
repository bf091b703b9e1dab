import { readFileSync } from 'node:fs';
import type { Hono } from 'hono';
import { z } from 'zod';
import { escapeHtml } from '#http/html.ts';
import { type SlotValues, slot, slotNames, unlessElement, whenElement } from '#pages/slots.ts';

export type Pages = {
  /** The file of the build that lists every page with its path and its readers. */
  file: string;
  /** The values of this installation for the page at this path; read for each visitor, because they change. */
  values: (path: string) => Promise<SlotValues>;
};

const Built = z.array(
  z.object({ path: z.string(), readers: z.enum(['all', 'signed-in', 'signed-out']), html: z.string() }),
);

/**
 * Serves what the build has drawn: the landing page, the documentation, support and the legal pages. A page for who is signed in is told from
 * the other by the visitor's cookie; a session that has ended is noticed by the screen to which the page leads. Without a build `/`
 * is a screen like the others.
 */
export function servePages(app: Hono, { file, values }: Pages): void {
  const pages = Map.groupBy(readPages(file), ({ path }) => path);
  const filled = new Map<string, string>();
  for (const [path, variants] of pages) {
    app.get(path, async (c) => {
      const isSignedIn = c.req.header('cookie')?.includes('cuebird.session_token=') === true;
      const readers = isSignedIn ? 'signed-in' : 'signed-out';
      const page = variants.find((one) => one.readers === readers) ?? variants[0];
      const of = await values(path);
      const key = JSON.stringify([path, page?.readers, of]);
      if (filled.size > mostFilled) filled.clear();
      const html = filled.get(key) ?? fillSlots(page?.html ?? '', of);
      filled.set(key, html);
      if (variants.length > 1) c.header('vary', 'cookie', { append: true });
      c.header('cache-control', 'no-cache');
      return c.html(html);
    });
    if (path !== '/') app.get(`${path}/`, (c) => c.redirect(path, 301));
  }
}

/** How many filled pages are cached: an installation's values hardly ever change. */
const mostFilled = 64;

/** The built pages; none where there was no build. */
function readPages(file: string): z.output<typeof Built> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return Built.parse(JSON.parse(text));
}

/** A built page with the values of the installation, escaped; parts that need a missing value are left out. */
export function fillSlots(page: string, values: SlotValues): string {
  let filled = page;
  for (const name of slotNames) {
    const isSet = values[name] !== null;
    filled = settle(filled, { start: `<${whenElement} name="${name}">`, end: `</${whenElement}>`, isShown: isSet });
    filled = settle(filled, {
      start: `<${unlessElement} name="${name}">`,
      end: `</${unlessElement}>`,
      isShown: !isSet,
    });
  }
  // Values are filled in last, so that none of them is read as a slot or a mark.
  const [first = '', ...parts] = filled.split('[[');
  const texts = parts.map((part) => {
    const name = slotNames.find((one) => `[[${part}`.startsWith(slot(one)));
    return name === undefined ? `[[${part}` : escapeHtml(values[name] ?? '') + part.slice(slot(name).length - 2);
  });
  return [first, ...texts].join('');
}

/** Keeps or removes each part of the page between these marks. */
function settle(page: string, { start, end, isShown }: { start: string; end: string; isShown: boolean }): string {
  const [before = '', ...parts] = page.split(start);
  const settled = parts.map((part) => {
    const at = part.indexOf(end);
    return `${isShown ? part.slice(0, at) : ''}${part.slice(at + end.length)}`;
  });
  return [before, ...settled].join('');
}
