import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const Screens = z.record(z.string(), z.object({ files: z.array(z.string()), needsSession: z.boolean() }));

/**
 * What every signed-in screen asks for first, whatever the answer: an answer that nobody takes stays in the browser, where a later request
 * would find it.
 */
const firstRequest = '/api/auth/get-session';

/** Links to what the screen at this path will ask for, so that the browser loads it while it compiles the rest. */
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
