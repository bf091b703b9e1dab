import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createRandom } from '#simulation/random.ts';

/**
 * Which cases of a large space a run takes. `npm test` takes a part, drawn by a seed that is made from the commit's id: the same commit
 * takes the same cases on every machine, and each commit takes others. `npm run test:all` takes all.
 */
export type Sample = {
  seed: string;
  takesAll: boolean;
  /** A whole number that the seed and the name determine, for generators that take one. */
  numberFor(name: string): number;
  /** Of generated cases in ten parts, each with a seed of its own from this one on: the seeds of the parts to run, one or all. */
  partSeeds(name: string, first: number): number[];
  /** The cases to run, in their order: a tenth, rounded up, or `count`; with those that are always taken, because they were wrong once. */
  draw<const T>(
    cases: readonly T[],
    options: { /** Samples of different names are independent. */ name: string; count?: number; always?: readonly T[] },
  ): T[];
};

export function createSample({ seed, takesAll }: { seed: string; takesAll: boolean }): Sample {
  const numberFor = (name: string) => createHash('sha256').update(`${seed}\n${name}`).digest().readInt32LE();
  const draw: Sample['draw'] = (cases, { name, count = Math.ceil(cases.length / 10), always = [] }) => {
    const missing = always.filter((one) => !cases.includes(one));
    if (missing.length > 0) throw new Error(`${name}: always taken, but no case: ${missing.map(String).join(', ')}`);
    if (takesAll) return [...cases];
    const taken = new Set(
      createRandom(numberFor(name))
        .shuffled([...cases.keys()])
        .slice(0, count),
    );
    return cases.filter((one, at) => taken.has(at) || always.includes(one));
  };
  const partSeeds = (name: string, first: number) =>
    draw(
      Array.from({ length: 10 }, (_, at) => first + at),
      { name },
    );
  return { seed, takesAll, numberFor, draw, partSeeds };
}

/** The first letters of the commit's id, whatever else was changed in the folder; `no-commit` outside of a repository. */
export function seedOfCommit(folder: string): string {
  try {
    // A clone that belongs to another account is read too: nothing of it is run.
    const command = ['-c', 'safe.directory=*', 'rev-parse', '--verify', 'HEAD'];
    return execFileSync('git', command, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).slice(
      0,
      12,
    );
  } catch {
    return 'no-commit';
  }
}

/** This run's sample. `TEST_SEED` repeats another run's; `TEST_ALL=1` takes all. */
export const sample = createSample({
  seed: process.env.TEST_SEED || seedOfCommit(import.meta.dirname),
  takesAll: process.env.TEST_ALL === '1',
});
