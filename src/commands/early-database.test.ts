import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { commandNamed } from '#commands/commands.ts';
import { CommandFailed } from '#commands/command-failed.ts';
import { lastEarlyMigration, UnfinishedDatabase } from '#platform/early-schema.ts';
import { parseConfig } from '#platform/config.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { earlyDatabase } from '#testing/early-database.ts';
import { connectOwner } from '#testing/owner.ts';
import { schemaText } from '#testing/schema-text.ts';

let admin: Awaited<ReturnType<typeof connectOwner>>;
let early: Awaited<ReturnType<typeof connectOwner>>;
let name: string;
let url: string;
beforeAll(async () => {
  // Makes the groups and logins.
  await (await createTestDatabase()).drop();
  admin = await connectOwner(inject('postgresUrl'));
  name = `early_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`create database ${name}`);
  url = new URL(`/${name}`, inject('postgresUrl')).href;
  early = await connectOwner(url);
  const { schema, rows } = await earlyDatabase();
  await early.query(schema);
  await early.query(rows);
});
afterAll(async () => {
  await early.end();
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});

async function refusalOf(line: string): Promise<unknown> {
  const [command, ...args] = line.split(' ');
  const config = parseConfig({ DATABASE_URL: url, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY }, []);
  const said: string[] = [];
  const call = { config, args, say: (text: string) => void said.push(text), signal: new AbortController().signal };
  const refusal = await commandNamed(command)?.(call).catch((error: unknown) => error);
  expect(said).toEqual([]);
  return refusal;
}

/** Everything that a command could change: the schema, the settings and the jobs. */
const everything = async () => [
  await schemaText(early),
  (await early.query('select * from app_settings order by key')).rows,
  (await early.query('select * from jobs order by id')).rows,
];

const lines = ['pause', 'pause --begin', 'resume', 'resume --overdue missed'];

describe('pause and resume', () => {
  it('refuse a database from before the baseline, and say to start this version with it', async () => {
    const before = await everything();
    for (const line of lines)
      expect(await refusalOf(line), line).toEqual(
        new CommandFailed(
          'The database is from an early version of Cuebird: start this version with it once, then try again.',
        ),
      );
    expect(await everything()).toEqual(before);
  });

  it('refuse one that has not run all of its migrations, and name the version to start with it', async () => {
    await early.query('delete from schema_migrations where name = $1', [lastEarlyMigration.migration]);
    const before = await everything();
    for (const line of lines) {
      const refusal = await refusalOf(line);
      expect(refusal, line).toEqual(new CommandFailed(new UnfinishedDatabase('0021_address_keys.sql').message));
      expect(String(refusal)).toContain(`Start the code of commit ${lastEarlyMigration.commit} with it once`);
    }
    expect(await everything()).toEqual(before);
  });
});
