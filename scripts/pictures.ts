import './node-version.js';
import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Takes the pictures of the landing page and the documentation anew: the same tests say when they are old. */
const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
spawn(process.execPath, [vitest, 'run', '--project', 'e2e', 'e2e/pictures.test.ts', 'e2e/walks.test.ts'], {
  env: { ...process.env, TAKE_PICTURES: 'yes', TEST_ALL: '1' },
  stdio: 'inherit',
}).once('exit', (code) => {
  process.exitCode = code ?? 1;
});
