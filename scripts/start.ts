import './node-version.js';
import { parseConfig } from '#platform/config.ts';
import { buildWebIfStale } from './web-build.ts';

/** The program itself says which settings are wrong, without waiting for a build. */
function isConfigured(): boolean {
  try {
    parseConfig(process.env, process.argv.slice(2));
    return true;
  } catch {
    return false;
  }
}

/** npm starts a script in a shell that does not forward SIGTERM. Without this, stopping `npm start` leaves the server running. */
function stopWithParent(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}

const asksOnly = process.argv.includes('--help') || ['pause', 'resume'].includes(process.argv[2] ?? '');
if (!asksOnly && isConfigured()) await buildWebIfStale(console.log);
stopWithParent();
await import('#main.ts');
