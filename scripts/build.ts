import './node-version.js';
import { buildWeb } from './web-build.ts';

await buildWeb();
console.log('Built dist/web.');
