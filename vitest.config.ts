import { defineConfig } from 'vitest/config';
import LongestFirst from './src/testing/longest-first.sequencer.ts';
import { sample } from './src/testing/sample.ts';

if (Number(process.versions.node.split('.')[0]) < 26)
  throw new Error('The tests need Node 26: run them through npm test.');

// A commit that is made during the run does not change what its processes draw.
process.env.TEST_SEED = sample.seed;

/** These end what hangs. What only waits for a busy processor goes on. */
const timeouts = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  teardownTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
};

/** Real processes with real deadlines: they share the machine with nobody else. */
const faults = { ...timeouts, globalSetup: ['src/testing/postgres.global.ts', 'e2e/faults/table.global.ts'] };

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    reporters: [
      'default',
      './src/testing/durations.reporter.ts',
      './src/testing/sample.reporter.ts',
      './src/testing/counts.reporter.ts',
    ],
    projects: [
      {
        test: {
          ...timeouts,
          name: 'src',
          include: ['{src,simulation}/**/*.test.ts'],
          // Modules hold nothing but caches: loading them again for each file would take as long as many of the tests.
          isolate: false,
          // While one file waits for the database, a process or a time-out, two others have the processors.
          maxWorkers: 3,
          globalSetup: ['src/testing/postgres.global.ts'],
          setupFiles: ['src/testing/properties.setup.ts'],
        },
      },
      {
        test: {
          ...timeouts,
          // `npm run test:all` looks at a page at four widths in two colour schemes, on a machine that does other things as well.
          testTimeout: 240_000,
          // As patient as the browser is with a locator.
          expect: { poll: { timeout: 60_000 } },
          name: 'e2e',
          include: ['e2e/*.test.ts'],
          globalSetup: ['src/testing/postgres.global.ts', 'e2e/web.global.ts'],
          // The browser is shared by all files of a worker.
          isolate: false,
          // More pages at once than processors make each of them slow.
          maxConcurrency: 2,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...faults,
          name: 'faults',
          include: ['e2e/faults/*.test.ts'],
          exclude: ['e2e/faults/*.slow.test.ts'],
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...faults,
          name: 'slow-faults',
          include: ['e2e/faults/*.slow.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
