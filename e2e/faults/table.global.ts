import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { elsewhere, header } from './table.ts';

/** Prints the table of all faults once the last has been lived through. */
export default async function collectFaults(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'cuebird-faults-'));
  const file = join(folder, 'table');
  project.provide('faultTable', file);
  return async () => {
    const rows = await readFile(file, 'utf8').catch(() => '');
    const others = elsewhere.map(([scenario, file]) => `${scenario.padEnd(66)} ${file}`).join('\n');
    if (rows !== '') console.log(`\n${header}\n${rows}${others}`);
    await rm(folder, { recursive: true });
  };
}
