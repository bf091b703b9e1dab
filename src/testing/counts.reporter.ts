import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node';

/** Ends the run with one plain line of counts, after naming every test that was skipped or failed. */
export default class CountsReporter implements Reporter {
  #print: (line: string) => void = () => {};

  onInit(vitest: Vitest): void {
    this.#print = (line) => vitest.logger.log(line);
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    const skipped = inState('skipped');
    for (const test of skipped) this.#print(`SKIPPED: ${test.module.relativeModuleId}: ${test.fullName}`);
    // At the very end too: of a long output, some places keep only that.
    for (const test of inState('failed'))
      this.#print(
        `FAILED: ${test.module.relativeModuleId}: ${test.fullName}: ${firstLine(test.result().errors?.[0]?.message)}`,
      );
    // A file that cannot be loaded holds no failed test, and is one failure all the same.
    const broken = modules.filter((module) => module.state() === 'failed' && module.errors().length > 0);
    const failed = inState('failed').length + broken.length + errors.length;
    if (reason === 'interrupted') this.#print('The run was interrupted.');
    this.#print(`${inState('passed').length} passed, ${failed} failed, ${skipped.length} skipped`);
  }
}

const firstLine = (message = '') => message.split('\n', 1)[0]?.slice(0, 300);
