import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealedColumns } from '#commands/sealed-columns.ts';
import { createTestDatabase } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';

const listed = sealedColumns.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`)).toSorted();

/** Columns whose names sound like a secret, and that hold no sealed value. */
const unsealed: Record<string, string> = {
  'auth_accounts.access_token': 'always null',
  'auth_accounts.id_token': 'always null',
  'auth_accounts.password': 'a hash',
  'auth_accounts.refresh_token': 'always null',
  'auth_sessions.token': 'a hash',
};

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let owner: Awaited<ReturnType<typeof connectOwner>>;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = await connectOwner(database.url);
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

describe('the list of sealed columns', () => {
  it('has every column of the database that is named like a secret', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and column_name ~ 'seal|secret|backup_codes|password|private|credential|token$'
          and table_name !~ '_\\d{4}_\\d{2}$' and data_type in ('text', 'jsonb', 'bytea')
        order by 1`,
    );
    const names = rows.map(({ name }) => name);
    expect(names.filter((name) => !(name in unsealed) && !listed.includes(name))).toEqual([]);
    expect(Object.keys(unsealed).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('names columns that exist, and reads them', async () => {
    for (const { table, columns, context, texts } of sealedColumns)
      await owner.query(`select ${[...columns, ...context, texts].join(', ')} from ${table}`);
  });

  it('has what each place of the code seals', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('testing'),
    );
    const sealing = files.filter((name) =>
      /\b(?:secrets|sealedBy|box)\.seal\(|sealWith\(|symmetricEncrypt\(/.test(readFileSync(join('src', name), 'utf8')),
    );
    expect(sealing.toSorted()).toEqual([
      'commands/sealed-columns.ts',
      // auth_two_factors
      'features/auth/auth.secrets.ts',
      'features/auth/two-factor.ts',
      // calendar_sources
      'features/calendar-sources/calendar-sources.service.ts',
      // channels
      'features/channels/channel-configuration.ts',
      'features/channels/channels.service.ts',
      // erasures
      'features/erasures/erased-person.ts',
      // reminder_hooks
      'features/events/hooks.service.ts',
      // app_settings
      'features/push/push-devices.service.ts',
      // idempotency_keys
      'http/idempotency.ts',
      // erasure_secrets
      'platform/erased-address.ts',
      // signing_secrets
      'platform/signing.ts',
    ]);
  });
});
