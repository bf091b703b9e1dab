import type { Client } from 'pg';
import { eraseAsked } from '#features/erasures/eraser.service.ts';
import { systemClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import { createLog, type Log } from '#platform/log.ts';
import { createSecretBox } from '#platform/secrets.ts';
import type { TestCuebird } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';

/** The tables with this text, whatever its case; without what is about accounts, and the audit log. */
export async function tablesWith(owner: Client, text: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1",
  );
  const found: string[] = [];
  for (const { name } of rows.filter((row) => !['audit_log', 'profiles'].includes(row.name))) {
    const { rowCount } = await owner.query(
      `select from "${name}" t where position(lower($1) in lower(t::text)) > 0 limit 1`,
      [text],
    );
    if (rowCount === 1) found.push(name);
  }
  return found;
}

/** Does the passes of the erasures of an installation at once. */
export function openErasing(
  { databaseUrl, owner }: Pick<TestCuebird, 'databaseUrl' | 'owner'>,
  log: Log = createLog(process.env.LOG_LEVEL ?? 'error'),
) {
  const database = openDatabase(databaseUrl, { encryptionKey: TEST_ENCRYPTION_KEY });
  const deps = {
    pool: database.engine,
    ownerUrl: databaseUrl,
    clock: systemClock,
    log,
    secrets: createSecretBox(TEST_ENCRYPTION_KEY),
  };
  return {
    pass: () => eraseAsked(deps, new AbortController().signal),
    tablesWith: (text: string) => tablesWith(owner, text),
    close: () => database.close(),
  };
}

export type Erasing = ReturnType<typeof openErasing>;
