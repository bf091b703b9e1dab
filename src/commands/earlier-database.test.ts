import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { commandNamed } from '#commands/commands.ts';
import { CommandFailed } from '#commands/command-failed.ts';
import { migrationsIn } from '#commands/tables.ts';
import { lastReplaced, OutdatedDatabase } from '#platform/replaced-migrations.ts';
import { parseConfig } from '#platform/config.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { createEarlierDatabase, type EarlierDatabase } from '#testing/earlier-database.ts';
import { connectOwner } from '#testing/owner.ts';
import { schemaText } from '#testing/schema-text.ts';

let earlier: EarlierDatabase;
let admin: Awaited<ReturnType<typeof connectOwner>>;
beforeAll(async () => {
  earlier = await createEarlierDatabase(inject('postgresUrl'));
  admin = await connectOwner(earlier.adminUrl);
});
afterAll(async () => {
  await admin.end();
  await earlier.drop();
});

async function refusalOf(line: string): Promise<unknown> {
  const [command, ...args] = line.split(' ');
  const config = parseConfig({ DATABASE_URL: earlier.url, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY }, []);
  const said: string[] = [];
  const call = { config, args, say: (text: string) => void said.push(text), signal: new AbortController().signal };
  const refusal = await commandNamed(command)?.(call).catch((error: unknown) => error);
  expect(said).toEqual([]);
  return refusal;
}

/** Everything that a command could change: the schema, the settings and the jobs. */
const everything = async () => [
  await schemaText(admin),
  (await admin.query('select * from app_settings order by key')).rows,
  (await admin.query('select * from jobs order by id')).rows,
];

const lines = ['pause', 'pause --begin', 'resume', 'resume --overdue missed'];

describe('pause and resume', () => {
  it('refuse a database from before the baseline, and say to start this version with it', async () => {
    const before = await everything();
    for (const line of lines)
      expect(await refusalOf(line), line).toEqual(
        new CommandFailed(
          'The database is from an earlier version of Cuebird: start this version with it once, then try again.',
        ),
      );
    expect(await everything()).toEqual(before);
  });

  it('refuse one that has not run all of its migrations, and name the version to start with it', async () => {
    await admin.query('delete from schema_migrations where name = $1', [lastReplaced.migration]);
    const before = await everything();
    for (const line of lines) {
      const refusal = await refusalOf(line);
      expect(refusal, line).toEqual(new CommandFailed(new OutdatedDatabase((await migrationsIn(admin)) ?? []).message));
      expect(String(refusal)).toContain(`Start the code of commit ${lastReplaced.commit} with it once`);
    }
    expect(await everything()).toEqual(before);
  });
});
