import { openDatabase } from '#platform/database.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';

export type Tables = Awaited<ReturnType<typeof openTables>>;

/** A test database as its owner and as the product's roles, for tests that write rows without a server. Dana and Erin are in no workspace. */
export async function openTables() {
  const test = await createTestDatabase();
  const owner = await connectOwner(test.url);
  const database = openDatabase(test.url, { encryptionKey: TEST_ENCRYPTION_KEY });
  const { rows } = await owner.query<{ id: string }>(
    "insert into profiles (email, full_name) values ('dana@example.com', 'Dana'), ('erin@example.com', 'Erin') returning id",
  );
  const [dana = '', erin = ''] = rows.map(({ id }) => id);
  return {
    url: test.url,
    owner,
    database,
    dana,
    erin,
    async insertWorkspace(slug: string): Promise<string> {
      const made = await owner.query('insert into workspaces (name, slug) values ($1, $1) returning id', [slug]);
      return made.rows[0].id;
    },
    async close() {
      await owner.end();
      await database.close();
      await test.drop();
    },
  };
}
