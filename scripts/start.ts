import './node-version.js';
import { parseConfig } from '#platform/config.ts';
import { stopWithParent } from './stop-with-parent.ts';
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

const asksOnly = process.argv.includes('--help') || ['pause', 'resume'].includes(process.argv[2] ?? '');
if (!asksOnly && isConfigured()) await buildWebIfStale(console.log);
stopWithParent();
await import('#main.ts');
