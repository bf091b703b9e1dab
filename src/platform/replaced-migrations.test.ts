import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { sealedColumns } from '#commands/sealed-columns.ts';
import { authPurpose } from '#features/auth/auth.secrets.ts';
import { migrate, NewerDatabase } from '#platform/migrate.ts';
import { lastReplaced, OutdatedDatabase } from '#platform/replaced-migrations.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { columnsOf, contentOf } from '#testing/backup-fixture.ts';
import { startTestCuebird } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY as encryptionKey } from '#testing/database.ts';
import { createEarlierDatabase, type EarlierDatabase } from '#testing/earlier-database.ts';
import { connectOwner } from '#testing/owner.ts';
import { schemaText } from '#testing/schema-text.ts';

let earlier: EarlierDatabase;
let admin: Awaited<ReturnType<typeof connectOwner>>;
beforeEach(async () => {
  earlier = await createEarlierDatabase(inject('postgresUrl'));
  admin = await connectOwner(earlier.adminUrl);
});
afterEach(async () => {
  await admin.end();
  await earlier.drop();
});

const ran = async () => (await admin.query('select name, hash from schema_migrations order by name')).rows;

/** Of the tables into which the upgrade writes when it runs, only how many rows they have. */
const apartFromTimes = (content: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(content).map(([table, sum]) => [
      table,
      ['api_keys', 'audit_log'].includes(table) ? (sum.split(' ')[0] ?? '') : sum,
    ]),
  );

describe('a database of the last version before the baseline', () => {
  it('keeps every row, and its secrets can be opened', async () => {
    const before = await contentOf(admin);
    const columns = new Map<string, number>();
    for (const table of Object.keys(before)) columns.set(table, (await columnsOf(admin, table)).length);
    // Three processes start at once.
    await Promise.all([1, 2, 3].map(() => migrate(earlier.url, { encryptionKey })));
    const renamed = new Map([
      ['auth_confirmation_codes', 'auth_reauthentication_codes'],
      ['push_subscriptions', 'push_browsers'],
      ['webhook_events', 'webhook_activities'],
    ]);
    const expected = Object.entries(before).map(([table, content]) => [renamed.get(table) ?? table, content]);
    // Columns that were added since are none of those rows'.
    const known = new Map([...columns].map(([table, count]) => [renamed.get(table) ?? table, count]));
    // The contact of the backup has neither tags nor values.
    const { contact_words: words, audit_log: log, ...after } = apartFromTimes(await contentOf(admin, known));
    const { audit_log: logBefore, ...expectedAfter } = apartFromTimes(Object.fromEntries(expected));
    // What was sent has not been added up yet, nobody has set up a report or a topic, no run is skipped for anybody, and nobody is erased.
    const isNew = (table: string) =>
      table.startsWith('totals_') ||
      [
        'monthly_reports',
        'job_skips',
        'topics',
        'consent_texts',
        'consents',
        'erasures',
        'erasure_secrets',
        'preferences',
        'sent_counts',
      ].includes(table);
    const empty = Object.keys(after).filter(isNew);
    expect(after).toEqual({
      ...expectedAfter,
      ...Object.fromEntries(empty.map((table) => [table, expect.stringMatching(/^0 rows/)])),
    });
    // The end of the key, whose maker is no member.
    expect(Number(log)).toBe(Number(logBefore) + 1);
    expect(words).toMatch(/^0 rows/);
    expect(Object.values(before).filter((content) => content.startsWith('0 rows'))).toEqual([]);

    const opened: string[] = [];
    const box = createSecretBox('a newer key', [encryptionKey]);
    const [newest = '', older = ''] = box.deriveKeys(authPurpose).map((key) => key.toString('base64url'));
    for (const { table, columns, context, texts, reseal } of sealedColumns) {
      const { rows } = await admin.query(
        `select ${[...columns, ...context, `${texts} as texts`].join(', ')} from ${table}
          where exists (select from unnest(${texts}) t where t ~ '^(v1[.]|[$]ba[$])')`,
      );
      for (const row of rows)
        opened.push(
          ...Array.from({ length: (await reseal(row, { box, authSecrets: [newest, older] })).count }, () => table),
        );
    }
    expect(opened.toSorted()).toEqual([
      'app_settings',
      'auth_two_factors',
      'auth_two_factors',
      'calendar_sources',
      'channels',
      'reminder_hooks',
      'signing_secrets',
    ]);
  });

  it('goes on under this version: its people sign in, and what waits is sent', async () => {
    const inbox = "select from sandbox_messages where recipient = 'erin@example.com'";
    expect((await admin.query(inbox)).rowCount).toBe(1);
    // The test's copy is in the place of the original.
    await admin.query("delete from app_settings where key = 'engine.location'");
    const { rowCount } = await admin.query(
      "update jobs j set scheduled_for = now(), run_at = now() from reminders r where r.id = j.reminder_id and r.name = 'Later'",
    );
    expect(rowCount).toBe(1);
    const cuebird = await startTestCuebird({ database: { url: earlier.url, drop: async () => {} } });
    const signedIn = await fetch(`${cuebird.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: cuebird.url },
      body: JSON.stringify({ email: 'dana@example.com', password: 'correct horse battery' }),
    });
    expect(signedIn.status).toBe(200);
    await expect.poll(async () => (await admin.query(inbox)).rowCount).toBe(2);
    await cuebird.stop();
  });

  it.each([
    ['before its list of migrations is replaced', 'schema_migrations'],
    ['between the list and the first migration after it', 'webhooks'],
    ['in the middle of a migration', 'auth_confirmation_codes'],
  ])('ends the same where the upgrade is killed %s and started again', async (_, table) => {
    const other = await createEarlierDatabase(inject('postgresUrl'));
    await migrate(other.url, { encryptionKey });
    const upgraded = await connectOwner(other.adminUrl);
    const expected = [await schemaText(upgraded), apartFromTimes(await contentOf(upgraded))];
    await upgraded.end();
    await other.drop();

    const holder = await connectOwner(earlier.adminUrl);
    await holder.query(`begin; lock table ${table} in exclusive mode`);
    const upgrade = startUpgrade(earlier.url);
    await expect.poll(waitsForLock).toBe(true);
    upgrade.kill('SIGKILL');
    await once(upgrade, 'exit');
    await holder.end();
    await migrate(earlier.url, { encryptionKey });
    expect([await schemaText(admin), apartFromTimes(await contentOf(admin))]).toEqual(expected);
  });

  it.each([
    ['stands at an earlier migration', `delete from schema_migrations where name = '${lastReplaced.migration}'`],
    ['had other migrations', "update schema_migrations set hash = 'h' where name like '0004%'"],
  ])('is refused where it %s, with what to do, and left as it is', async (_, change) => {
    await admin.query(change);
    const before = [await schemaText(admin), await ran()];
    const refusal = await migrate(earlier.url, { encryptionKey }).catch((error: unknown) => error);
    expect(refusal).toEqual(new OutdatedDatabase(await ran()));
    expect(String(refusal)).toMatch(
      /^Error: The database is from an earlier version of Cuebird, at migration \d{4}_\w+\.sql, which this version cannot upgrade\. Start the code of commit 9c0662180ea397e843fbab4b2bba8b6062d5fe1f with it once, which upgrades it to 0081_runs_of_a_corrected_clock\.sql; then start this version\.$/,
    );
    expect([await schemaText(admin), await ran()]).toEqual(before);
  });

  it('is refused as a newer one where it went on otherwise', async () => {
    await admin.query("insert into schema_migrations (name, hash) values ('0082_of_another_version.sql', 'h')");
    await expect(migrate(earlier.url, { encryptionKey })).rejects.toThrow(NewerDatabase);
  });
});

/** A process that upgrades the database, and does nothing else. */
function startUpgrade(url: string): ChildProcess {
  const code = `import { migrate } from '#platform/migrate.ts'; await migrate(process.argv[1], { encryptionKey: process.argv[2] });`;
  return spawn(process.execPath, ['--input-type=module', '--eval', code, url, encryptionKey], { stdio: 'inherit' });
}

async function waitsForLock(): Promise<boolean> {
  const { rowCount } = await admin.query(
    "select from pg_stat_activity where datname = current_database() and application_name = 'cuebird migrate' and wait_event_type = 'Lock'",
  );
  return rowCount === 1;
}
