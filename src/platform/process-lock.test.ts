import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockForThisProcess } from '#platform/process-lock.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cuebird-lock-'));
  path = join(folder, 'lock');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a lock for as long as a process lives', () => {
  it('is had once, says by whom, and is free after its release', async () => {
    const lock = await lockForThisProcess(path);
    expect(await lockForThisProcess(path)).toEqual({ outcome: 'held', pid: process.pid });
    expect(await lockForThisProcess(path)).toEqual({ outcome: 'held', pid: process.pid });
    if (lock.outcome === 'locked') await lock.release();
    expect(await readdir(folder)).toEqual(['lock']);
    expect(await lockForThisProcess(path)).toHaveProperty('outcome', 'locked');
  });

  it('goes to exactly one of several processes at the moment its holder is killed, and frees itself again', async () => {
    const holder = race();
    await holder.next();
    holder.child.stdin.write('go\n');
    expect((await holder.next()).value).toBe('locked');
    const racers = Array.from({ length: 6 }, () => race());
    const ready = await Promise.all(racers.map(async (racer) => (await racer.next()).value));
    expect(ready).toEqual(Array(6).fill('ready'));
    holder.child.kill('SIGKILL');
    await once(holder.child, 'exit');
    for (const racer of racers) racer.child.stdin.write('go\n');
    const outcomes = await Promise.all(racers.map(async (racer) => (await racer.next()).value));
    for (const { child } of racers) child.stdin.end();
    await Promise.all(racers.map(({ child }) => once(child, 'exit')));
    expect(outcomes.filter((outcome) => outcome === 'locked')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'held')).toHaveLength(5);
    expect(await lockForThisProcess(path)).toHaveProperty('outcome', 'locked');
  });
});

function race() {
  const module = new URL('./process-lock.ts', import.meta.url).href;
  const program = `
    import { once } from 'node:events';
    import { lockForThisProcess } from ${JSON.stringify(module)};
    console.log('ready');
    await once(process.stdin, 'data');
    console.log((await lockForThisProcess(${JSON.stringify(path)})).outcome);
    process.stdin.on('end', () => process.exit()).resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, next: () => lines.next() };
}
