import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A quarter of a minute or more each, those that wait for processes beside those that do not: begun last, one of them would leave a processor idle. */
const longest = [
  'src/commands/commands.test.ts',
  'src/http/list-sizes.test.ts',
  'src/platform/embedded-postgres.test.ts',
  'src/http/hostile-input.test.ts',
  'src/platform/migrate.test.ts',
  'simulation/postgres.test.ts',
  'src/commands/rotate-key.test.ts',
  'src/http/access.test.ts',
  'src/commands/backup.test.ts',
  'src/commands/encrypted-backup.test.ts',
  'src/features/contacts/export.test.ts',
  'src/commands/rotate-key.database.test.ts',
  'src/features/calendar-sources/calendar-sources.test.ts',
  'src/features/admin/plans.test.ts',
  'src/delivery/webhook/webhook.faults.test.ts',
  'src/engine/claiming/audiences.test.ts',
  'simulation/seeds.test.ts',
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
