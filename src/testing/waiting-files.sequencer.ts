import type { TestSpecification } from 'vitest/node';
import LongestFirst from './longest-first.sequencer.ts';

/** Files that mostly wait, for a minute to begin or for a process to start. */
const isWaiting = ({ moduleId }: TestSpecification) =>
  /\/e2e\/(main-job|first-start|realtime)\.test\.ts$/.test(moduleId);

/** Runs one file that waits after the other, so that others have the machine meanwhile. */
export default class WaitingFilesSequencer extends LongestFirst {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...Map.groupBy(sorted, ({ project }) => project).values()].flatMap(spread);
  }
}

/** The first begins; between each two are as many of the others. */
function spread(files: readonly TestSpecification[]): TestSpecification[] {
  const waiting = files.filter(isWaiting);
  const others = files.filter((file) => !isWaiting(file));
  if (waiting.length === 0) return others;
  const between = Math.ceil(others.length / waiting.length);
  return waiting.flatMap((file, at) => [file, ...others.slice(at * between, (at + 1) * between)]);
}
