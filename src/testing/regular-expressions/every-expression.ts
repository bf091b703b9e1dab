import { glob, readFile } from 'node:fs/promises';
import { expressionsIn } from './expressions-in.ts';
import { superlinear } from './superlinear.ts';

/**
 * Folders whose expressions need not be linear, with the bound of their input. All others must be linear: a preceding class that shares no
 * character with the next one, or `(?<!x)x+`, which starts only once in a run of x.
 */
const bounded: Record<string, string> = {
  'src/domain/phrase': 'one line of at most 1,000 characters, in the browser of whoever writes it',
  'src/testing': 'only what the tests themselves print',
};

/** The expressions in the product's source that can take more than linear time, each with its position and the reason. */
export async function expressionsThatAreSlow(): Promise<string[]> {
  const slow: string[] = [];
  for await (const file of glob('src/**/*.{ts,tsx}')) {
    const path = file.replaceAll('\\', '/');
    if (path.endsWith('.test.ts') || Object.keys(bounded).some((folder) => path.startsWith(folder))) continue;
    for (const { line, text, pattern, flags } of expressionsIn(path, await readFile(file, 'utf8'))) {
      const reason = pattern === null ? 'it is made at run time, and cannot be checked' : superlinear(pattern, flags);
      if (reason !== null) slow.push(`${path}:${line}: ${text} can take more than linear time: ${reason}`);
    }
  }
  return slow.toSorted();
}
