import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Hono } from 'hono';

/** Serves the built web: files as they are, and the page itself for every path that the browser's router knows. */
export function serveWeb(app: Hono, root: string): void {
  app.use(
    '*',
    serveStatic({
      root,
      onFound: (path, c) => {
        // Their names hold a hash of their content.
        c.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    }),
  );
  app.get('*', (c) => {
    if (/\.[a-z0-9]{2,5}$/i.test(c.req.path)) return c.text('Not found', 404);
    c.header('cache-control', 'no-cache');
    return c.html(readPage(root));
  });
}

function readPage(root: string): string {
  try {
    return readFileSync(join(root, 'index.html'), 'utf8');
  } catch {
    return '<!doctype html><title>Cuebird</title><p>The web has not been built. Start Cuebird with <code>npm start</code>.</p>';
  }
}
