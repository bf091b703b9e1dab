import './node-version.js';
import { buildWebIfStale } from './web-build.ts';

const asksOnly = process.argv.includes('--help');
if (!asksOnly) await buildWebIfStale(console.log);
await import('#main.ts');
