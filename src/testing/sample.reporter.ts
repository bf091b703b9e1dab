import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { sample } from '#testing/sample.ts';

/** Begins and ends the run with its seed, and names the command that repeats each failure. */
export default class SampleReporter implements Reporter {
  #print: (line: string) => void = () => {};

  onInit(vitest: Vitest): void {
    this.#print = (line) => vitest.logger.log(line);
    this.#print(what);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules)
      for (const test of module.children.allTests('failed'))
        this.#print(
          `To repeat: ${commandFor({ project: module.project.name, file: module.relativeModuleId, test: test.fullName })}`,
        );
    this.#print(what);
  }
}

const what = sample.takesAll
  ? `Every case is taken (TEST_ALL=1), other random choices by TEST_SEED=${sample.seed}.`
  : `Cases are a sample by TEST_SEED=${sample.seed}; npm run test:all takes every case.`;

/** For a shell. A test is named by a pattern, in which every sign but letters and digits may stand for any. */
export function commandFor({ project, file, test }: { project: string; file: string; test: string }): string {
  const pattern = test.replaceAll(/[^\p{L}\p{N} ]/gu, '.');
  const environment = `TEST_SEED='${sample.seed.replaceAll("'", "'\\''")}'${sample.takesAll ? ' TEST_ALL=1' : ''}`;
  return `${environment} npx vitest run --project ${project} ${file} -t '${pattern}'`;
}
