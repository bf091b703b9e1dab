import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { escapeHtml } from '#http/html.ts';
import { type LandingValues, slot, slotNames, unlessElement, whenElement } from '#landing/slots.ts';

export type Landing = {
  /** Of its build. */
  folder: string;
  /** Of this installation; asked for each visitor, because the link into the demo changes with the key. */
  values: () => LandingValues;
};

/**
 * Serves the landing page at `/`: the file for who is signed in or the other, by the visitor's cookie. A session that has ended is
 * noticed by the screen to which the page leads. Without a build `/` is a screen like the others.
 */
export function serveLanding(app: Hono, { folder, values }: Landing): void {
  const pages = readPages(folder);
  if (pages === null) return;
  const filled = new Map<string, string>();
  app.get('/', (c) => {
    const isSignedIn = c.req.header('cookie')?.includes('cuebird.session_token=') === true;
    const of = values();
    const key = JSON.stringify([isSignedIn, of]);
    if (filled.size > mostFilled) filled.clear();
    const page = filled.get(key) ?? fillSlots(isSignedIn ? pages.signedIn : pages.signedOut, of);
    filled.set(key, page);
    c.header('vary', 'cookie', { append: true });
    c.header('cache-control', 'no-cache');
    return c.html(page);
  });
}

/** The values of an installation hardly ever change. */
const mostFilled = 8;

/** Null where the page has not been built. */
function readPages(folder: string): { signedIn: string; signedOut: string } | null {
  try {
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    return { signedIn: read('signed-in.html'), signedOut: read('signed-out.html') };
  } catch {
    return null;
  }
}

/** The built page with the values of an installation, escaped; what needs a value that is not there is left out. */
export function fillSlots(page: string, values: LandingValues): string {
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
  // Values come last, so that none of them is taken for a part of the page.
  const [first = '', ...parts] = filled.split('[[');
  const texts = parts.map((part) => {
    const name = slotNames.find((one) => `[[${part}`.startsWith(slot(one)));
    return name === undefined ? `[[${part}` : escapeHtml(values[name] ?? '') + part.slice(slot(name).length - 2);
  });
  return [first, ...texts].join('');
}

/** Replaces each such element by what it holds, or by nothing. */
function settle(page: string, { start, end, isShown }: { start: string; end: string; isShown: boolean }): string {
  const [before = '', ...parts] = page.split(start);
  const settled = parts.map((part) => {
    const at = part.indexOf(end);
    return `${isShown ? part.slice(0, at) : ''}${part.slice(at + end.length)}`;
  });
  return [before, ...settled].join('');
}
