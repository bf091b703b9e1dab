import './node-version.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'vite';

// A separate process group: Ctrl-C reaches only this process, which then stops both children in order.
const server = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', 'src/main.ts', ...process.argv.slice(2)],
  {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: process.platform !== 'win32',
  },
);
const serverEnded = once(server, 'exit');

const web = await createServer();
await web.listen();
console.log(`The web, reloading as you type: ${web.resolvedUrls?.local[0] ?? ''}`);

const ended = Promise.withResolvers<void>();
// The signal arrives twice: from the terminal, and again from npm.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ended.resolve());
await Promise.race([ended.promise, serverEnded]);
server.kill('SIGTERM');
await Promise.all([serverEnded, web.close()]);
