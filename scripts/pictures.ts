import './node-version.js';
import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Takes the pictures of the landing page anew: `e2e/pictures.test.ts` says when they are old. */
const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
spawn(process.execPath, [vitest, 'run', '--project', 'e2e', 'e2e/pictures.test.ts'], {
  env: { ...process.env, TAKE_PICTURES: 'yes' },
  stdio: 'inherit',
}).once('exit', (code) => {
  process.exitCode = code ?? 1;
});
