import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { z } from 'zod';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Starts one thread, and says how large its heap may become, in MiB. */
const script = `
  import { startRenderingThread } from '#rendering/threads.ts';
  let worker;
  process.once('worker', (started) => (worker = started));
  const thread = await startRenderingThread();
  worker.ref();
  const { heap_size_limit: bytes } = await worker.getHeapStatistics();
  await thread.stop();
  console.log(bytes / 2 ** 20);
`;

it('the heap of a thread that renders is as small as it was set, whatever options npm start gives the process', async () => {
  const { scripts } = z
    .object({ scripts: z.object({ start: z.string() }) })
    .parse(JSON.parse(readFileSync(`${root}/package.json`, 'utf8')));
  const options = scripts.start.split(' ').filter((word) => word.startsWith('--max'));
  const args = [...options, '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  expect(Number(stdout)).toBeLessThan(100);
});
