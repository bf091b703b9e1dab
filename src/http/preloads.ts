import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const Screens = z.record(z.string(), z.object({ files: z.array(z.string()), needsSession: z.boolean() }));

/** The first request of every signed-in screen. Only this one is preloaded: an unused answer would stay in the browser, and serve a later request. */
const firstRequest = '/api/auth/get-session';

/** Links to what the screen at this path loads, so that the browser fetches it while it compiles the rest. */
export function preloads(root: string, { path, cookie }: { path: string; cookie: string }): string {
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
