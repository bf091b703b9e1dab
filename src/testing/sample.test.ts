import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSample, seedOfCommit } from '#testing/sample.ts';
import { commandFor } from '#testing/sample.reporter.ts';

const thousand = Array.from({ length: 1_000 }, (_, at) => at);
const drawn = (seed: string, name = 'numbers') => createSample({ seed, takesAll: false }).draw(thousand, { name });
const commit = (number: number) => createHash('sha1').update(String(number)).digest('hex').slice(0, 12);
/** What each of ten commits draws, fifty times over. */
const fiftyTimesTenCommits = Array.from({ length: 50 }, (_, first) =>
  Array.from({ length: 10 }, (__, at) => drawn(commit(first * 10 + at))),
);

describe('a sample', () => {
  it('is a tenth of the cases, in their order', () => {
    const cases = drawn('9c066218');
    expect(cases).toHaveLength(100);
    expect(cases).toEqual(cases.toSorted((a, b) => a - b));
    expect(new Set(cases).size).toBe(100);
  });

  it('is the same for the same commit on every machine', () => {
    const letters = createSample({ seed: '9c066218', takesAll: false });
    expect(letters.draw('abcdefghijklmnopqrstuvwxyz'.split(''), { name: 'letters' }).join('')).toBe('akt');
    expect(letters.numberFor('letters')).toBe(390396205);
  });

  it('differs between two commits, and between two names of one commit', () => {
    expect(drawn('9c066218')).not.toEqual(drawn('440a3add'));
    expect(drawn('9c066218', 'one')).not.toEqual(drawn('9c066218', 'other'));
  });

  it('has as many cases as are asked for, and at least one', () => {
    const { draw } = createSample({ seed: '9c066218', takesAll: false });
    expect(draw(thousand, { name: 'some', count: 7 })).toHaveLength(7);
    expect(draw(['only'], { name: 'some' })).toEqual(['only']);
  });

  it('of generated cases is one part of ten', () => {
    const drawnBy = (seed: string) => createSample({ seed, takesAll: false }).partSeeds('mails', 7);
    expect(drawnBy('9c066218')).toHaveLength(1);
    expect(new Set(Array.from({ length: 100 }, (_, at) => drawnBy(commit(at))).flat()).size).toBe(10);
  });

  it('always has the cases that were wrong once', () => {
    const { draw } = createSample({ seed: '9c066218', takesAll: false });
    for (const one of [0, 271, 999]) expect(draw(thousand, { name: 'some', count: 1, always: [one] })).toContain(one);
    expect(() => draw(thousand, { name: 'some', always: [1_000] })).toThrow('always taken, but no case: 1000');
  });

  it('is everything, if everything is asked for', () => {
    const { draw, partSeeds } = createSample({ seed: '9c066218', takesAll: true });
    expect(draw(thousand, { name: 'some', count: 3 })).toEqual(thousand);
    expect(partSeeds('mails', 7)).toEqual([7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
  });
});

describe('the samples of ten commits', () => {
  /** In how many of fifty times ten commits one of these cases was taken. */
  const found = (wrong: readonly number[]) =>
    fiftyTimesTenCommits.filter((commits) => commits.flat().some((one) => wrong.includes(one))).length;

  it('find what is wrong in five of a thousand cases', () => {
    // 1 - 0.9^50, which is 99.5 of a hundred.
    expect(found([3, 141, 592, 653, 589])).toBeGreaterThanOrEqual(49);
  });

  it('mostly find what is wrong in a single case', () => {
    // 1 - 0.9^10, which is 65 of a hundred.
    expect(found([271])).toBeGreaterThanOrEqual(27);
  });

  it('leave no case out for ever', () => {
    expect(new Set(fiftyTimesTenCommits.flat(2)).size).toBe(1_000);
  });
});

describe('the seed', () => {
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-C', folder, ...args], {
      encoding: 'utf8',
    });

  it('is made from the commit, also where files were changed since, and in a folder below', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cuebird-seed-'));
    git(folder, 'init', '--quiet');
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'First');
    const first = seedOfCommit(folder);
    expect(first).toBe(git(folder, 'rev-parse', 'HEAD').slice(0, 12));
    await writeFile(join(folder, 'changed'), 'since');
    expect(seedOfCommit(folder)).toBe(first);
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'Second');
    expect(seedOfCommit(folder)).not.toBe(first);
    await rm(folder, { recursive: true });
  });

  it('is a fixed one outside of a repository', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cuebird-seed-'));
    expect(seedOfCommit(folder)).toBe('no-commit');
    await rm(folder, { recursive: true });
  });

  it('is in the command that repeats a failed test', () => {
    const command = commandFor({ project: 'src', file: 'src/a.test.ts', test: "who may call > what's (1 of 2)" });
    expect(command).toMatch(
      /^TEST_SEED='.+' (TEST_ALL=1 )?npx vitest run --project src src\/a\.test\.ts -t 'who may call . what.s .1 of 2.'$/,
    );
  });
});
