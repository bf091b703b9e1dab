import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Hono, MiddlewareHandler } from 'hono';
import { isWebPath } from '#contract/web-routes.ts';
import { withHead } from './page-heads.ts';
import { type Pages, servePages } from './pages.ts';
import { z } from 'zod';

/**
 * Serves the built web app: its files, the pages that the build has drawn, and the page itself for every other path. Where the app has no page it says so,
 * with status 404.
 * @param options.closedPages answers in place of the page where the installation is closed
 * @param options.onUnknownPath is told of a path without a page
 */
export function serveWeb(app: Hono, { root, closedPages, onUnknownPath, pages = null, appUrl }: Web): void {
  app.use('*', (c, next) =>
    isReadable(c.req.url) ? next() : Promise.resolve(c.text('The address is not valid', 400)),
  );
  app.get('*', (c, next) => (isFile(c.req.path) ? next() : closedPages(c, next)));
  if (pages !== null) servePages(app, pages);
  app.use(
    '*',
    serveStatic({
      root,
      // The build has compressed them.
      precompressed: true,
      onFound: (path, c) => {
        // File names contain a hash of their content.
        c.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    }),
  );
  app.get('*', (c) => {
    if (isFile(c.req.path)) return c.text('Not found', 404);
    c.header('cache-control', 'no-cache');
    const path = readablePathOf(c.req.url);
    const isKnown = isWebPath(path) || path === '/index.html';
    if (!isKnown) onUnknownPath(path);
    const links = preloads(root, { path: c.req.path, cookie: c.req.header('cookie') ?? '' });
    const page = withHead(readPage(root), { path: c.req.path, appUrl });
    return c.html(
      page.replace('</head>', () => `${links}</head>`),
      isKnown ? 200 : 404,
    );
  });
}

type Web = {
  root: string;
  closedPages: MiddlewareHandler;
  onUnknownPath: (path: string) => void;
  pages?: Pages | null;
  /** The address at which people reach Cuebird, if it is configured. */
  appUrl?: string | undefined;
};

/** A path with a file extension is served as a file; all others show the page of the web app. */
const isFile = (path: string): boolean => path !== '/index.html' && /\.[a-z0-9]{2,5}$/i.test(path);

/** Percent-encoding must decode to UTF-8 without control characters. */
function isReadable(url: string): boolean {
  try {
    return !/[\0-\x1f\x7f]/.test(readablePathOf(url));
  } catch {
    return false;
  }
}

const readablePathOf = (url: string): string => decodeURIComponent(new URL(url).pathname);

function readPage(root: string): string {
  try {
    return readFileSync(join(root, 'index.html'), 'utf8');
  } catch {
    return '<!doctype html><title>Cuebird</title><p>The web app has not been built. Start Cuebird with <code>npm start</code>.</p>';
  }
}

const Screens = z.record(z.string(), z.object({ files: z.array(z.string()), needsSession: z.boolean() }));

/** The first request of every signed-in screen. Only this one is preloaded: an unused answer would stay in the browser, and serve a later request. */
const firstRequest = '/api/auth/get-session';

/** Links to what the screen at this path loads, so that the browser fetches it while it compiles the rest. */
function preloads(root: string, { path, cookie }: { path: string; cookie: string }): string {
  const screen = screenAt(root, path);
  if (screen === undefined) return '';
  const isSignedIn = screen.needsSession && cookie.includes('cuebird.session_token=');
  return [
    ...(isSignedIn ? [`<link rel="preload" as="fetch" crossorigin href="${firstRequest}">`] : []),
    ...screen.files.map((name) =>
      name.endsWith('.css')
        ? `<link rel="preload" as="style" crossorigin href="/${name}">`
        : `<link rel="modulepreload" crossorigin href="/${name}">`,
    ),
  ].join('');
}

/** The screen's files by the build's list; undefined for an address without a screen, and where there is no list. */
function screenAt(root: string, path: string) {
  const screens = readScreens(root);
  const parts = path.split('/');
  const matches = (pattern: string[]) =>
    pattern.length === parts.length && pattern.every((part, at) => part === parts[at] || part.startsWith('$'));
  return screens[path] ?? Object.entries(screens).find(([pattern]) => matches(pattern.split('/')))?.[1];
}

function readScreens(root: string): z.output<typeof Screens> {
  try {
    return Screens.parse(JSON.parse(readFileSync(join(root, 'screens.json'), 'utf8')));
  } catch {
    return {};
  }
}
