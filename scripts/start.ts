import './node-version.js';
import { stopWithParent } from './stop-with-parent.ts';
import { buildWebIfStale } from './web-build.ts';

const asksOnly = process.argv.includes('--help') || ['pause', 'resume'].includes(process.argv[2] ?? '');
if (!asksOnly) await buildWebIfStale(console.log);
stopWithParent();
await import('#main.ts');
