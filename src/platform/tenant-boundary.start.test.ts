import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#platform/database.ts';
import { assertTenantBoundary } from '#platform/tenant-boundary.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';

describe('at the start, a database that does not keep workspaces apart', () => {
  let test: Awaited<ReturnType<typeof createTestDatabase>>;
  let owner: Client;
  beforeAll(async () => {
    test = await createTestDatabase();
    owner = await connectOwner(test.url);
  });
  afterAll(async () => {
    await owner.end();
    await test.drop();
  });

  const login = 'app_of_this_test';

  /** Checks as that login would, after something was changed; all of it is undone. */
  async function checkAfter(change: string): Promise<void> {
    await owner.query('begin');
    try {
      await owner.query(`create role ${login} login in role cuebird_app`);
      await owner.query(change);
      await owner.query(`set local session authorization ${login}`);
      await assertTenantBoundary({ query: owner.query.bind(owner) });
    } finally {
      await owner.query('rollback');
    }
  }

  it('passes as the migrations leave it', async () => {
    const database = openDatabase(test.url, { encryptionKey: TEST_ENCRYPTION_KEY });
    await expect(assertTenantBoundary(database.appPool)).resolves.toBeUndefined();
    await database.close();
    await expect(checkAfter('select 1')).resolves.toBeUndefined();
  });

  it.each<[what: string, change: string, sentence: string]>([
    [
      'a login that is a superuser',
      `alter role ${login} superuser`,
      `The database does not keep workspaces apart: role ${login} is a superuser or bypasses row-level security`,
    ],
    [
      'a login that bypasses row-level security',
      `alter role ${login} bypassrls`,
      `role ${login} is a superuser or bypasses row-level security`,
    ],
    [
      'a login that could become a role which bypasses it',
      `create role another bypassrls; grant another to ${login}`,
      `role ${login} may become another, a superuser or one that bypasses row-level security`,
    ],
    ['a login of the engine', `grant cuebird_engine to ${login}`, `role ${login} belongs to cuebird_engine`],
    ['a login of sign-in', `grant cuebird_auth to ${login}`, `role ${login} belongs to cuebird_auth`],
    ['a login that owns a table', `alter table channels owner to ${login}`, `role ${login} owns table channels`],
    [
      'a table without row-level security',
      'alter table jobs disable row level security',
      'table jobs lacks forced row-level security',
    ],
    [
      'a table whose row-level security spares its owner',
      'alter table channels no force row level security',
      'table channels lacks forced row-level security',
    ],
    [
      'a table that somebody added without it',
      'create table notes (id int, workspace_id uuid)',
      'table notes lacks forced row-level security',
    ],
    ...['select', 'insert', 'update', 'delete', 'truncate', 'select (recipient)', 'update (status)'].map(
      (right): [string, string, string] => [
        `a partition with a right to ${right}`,
        `grant ${right} on deliveries_other to cuebird_app`,
        'partition deliveries_other can be reached directly',
      ],
    ),
  ])('is refused for %s', async (_, change, sentence) => {
    await expect(checkAfter(change)).rejects.toThrow(sentence);
  });

  it('is refused with all that is wrong, or the first five of it', async () => {
    await expect(checkAfter(`alter role ${login} superuser`)).rejects.toThrow(/(; .*){4}; and \d+ more$/);
    await expect(
      checkAfter('alter table jobs disable row level security; alter table channels no force row level security'),
    ).rejects.toThrow(/table (jobs|channels) lacks [^;]*; table (jobs|channels) lacks [^;]*$/);
  });
});
