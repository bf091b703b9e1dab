import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A minute or more each, those first that wait longest for processes: begun last, one of them would leave a processor idle. */
const longest = [
  'src/platform/embedded-postgres.test.ts',
  'src/commands/commands.test.ts',
  'simulation/seeds.test.ts',
  'src/http/hostile-input.test.ts',
  'src/http/list-sizes.test.ts',
  'src/http/access.test.ts',
  'src/platform/migrate.test.ts',
  'simulation/conformance.test.ts',
  'simulation/postgres.test.ts',
  'simulation/mutations.test.ts',
  'src/features/jobs/run-of-ten-thousand.test.ts',
  'src/features/contacts/import.test.ts',
  'src/features/contacts/export.test.ts',
  'src/commands/backup.test.ts',
];

/** Begins with the longest files, on machines that have not measured them yet as on others. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(name));
      return at === -1 ? longest.length : at;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
