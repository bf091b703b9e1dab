import type { Reporter, TestModule, Vitest } from 'vitest/node';

const slowestShown = 25;
/** On a machine that does nothing else no test takes longer; beside other work it may. */
const mostMs = 20_000;

/** Ends the run with a table: how long each project took, its slowest files, and the tests that take too long. */
export default class DurationsReporter implements Reporter {
  #print: (line: string) => void = () => {};
  /** When a project's first file began and its last one ended. */
  #spans = new Map<string, { beganMs: number; endedMs: number }>();

  onInit(vitest: Vitest): void {
    this.#print = (line) => vitest.logger.log(line);
  }

  onTestModuleQueued({ project }: TestModule): void {
    const now = performance.now();
    if (!this.#spans.has(project.name)) this.#spans.set(project.name, { beganMs: now, endedMs: now });
  }

  onTestModuleEnd({ project }: TestModule): void {
    const span = this.#spans.get(project.name);
    if (span) span.endedMs = performance.now();
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const [name, ofProject] of Map.groupBy(modules, ({ project }) => project.name)) {
      const { beganMs = 0, endedMs = 0 } = this.#spans.get(name) ?? {};
      this.#print(`\n${inSeconds(endedMs - beganMs)}  ${name}: ${ofProject.length} files`);
      const slowest = ofProject.toSorted((one, other) => durationMs(other) - durationMs(one)).slice(0, slowestShown);
      for (const module of slowest) this.#print(`${inSeconds(durationMs(module))}    ${module.relativeModuleId}`);
      for (const test of ofProject.flatMap(({ children }) => [...children.allTests()])) {
        const ms = test.diagnostic()?.duration ?? 0;
        if (ms > mostMs) this.#print(`${inSeconds(ms)}    ${test.module.relativeModuleId}: ${test.fullName}`);
      }
    }
    this.#print('');
  }
}

/** With what its imports take. */
function durationMs(module: TestModule): number {
  const { collectDuration, duration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic();
  return collectDuration + duration + environmentSetupDuration + prepareDuration + setupDuration;
}

const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`.padStart(9);
