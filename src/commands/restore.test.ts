import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BadBackup } from '#commands/backup-file.ts';
import { CommandFailed } from '#commands/command-failed.ts';
import { examineBackup, restoreBackup } from '#commands/restore.ts';
import { fixSequences } from '#commands/sequences.ts';
import { migrate } from '#platform/migrate.ts';
import { dropLogins, hasLogins, loginOf } from '#platform/roles.ts';
import { type BackupFixture, contentOf, furnish, now, openBackupFixture } from '#testing/backup-fixture.ts';
import { TEST_ENCRYPTION_KEY as encryptionKey } from '#testing/database.ts';

let fixture: BackupFixture;
let folder: BackupFixture['folder'];
let file: BackupFixture['file'];
let owner: BackupFixture['owner'];
let back: BackupFixture['back'];
let blank: BackupFixture['blank'];
let openUrl: BackupFixture['openUrl'];
let restore: BackupFixture['restore'];
beforeEach(async () => {
  fixture = await openBackupFixture();
  ({ folder, file, owner, back, blank, openUrl, restore } = fixture);
});
afterEach(() => fixture.close());

describe('a restore', () => {
  it('refuses a database that holds something, and leaves it as it is', async () => {
    await back();
    await furnish(owner);
    const before = await contentOf(owner);
    const refusal = new CommandFailed(
      'The database is not empty, and a restore overwrites nothing: set DATA_DIR or DATABASE_URL to an empty one.',
    );
    await expect(restore(fixture.url)).rejects.toThrow(refusal);
    expect(await contentOf(owner)).toEqual(before);
    const foreign = await blank();
    await (await openUrl(foreign)).query('create table of_somebody_else (id int)');
    await expect(restore(foreign)).rejects.toThrow(refusal);
  });

  it('that was broken off can be done again', async () => {
    await furnish(owner);
    await back();
    const url = await blank();
    await migrate(url, { encryptionKey });
    const target = await openUrl(url);
    await target.query("alter table audit_log add constraint nothing check (action <> 'tried')");
    await expect(restore(url)).rejects.toThrow(/nothing/);
    expect(new Set(Object.values(await contentOf(target)).map((sum) => sum.split(' ')[0]))).toEqual(new Set(['0']));
    await target.query('alter table audit_log drop constraint nothing');
    expect((await restore(url)).rows).toBeGreaterThan(100);
  });

  it('that was killed among its first migrations can be done again', async () => {
    await furnish(owner);
    await back();
    const url = await blank();
    const { rows } = await owner.query<{ name: string }>('select name from schema_migrations order by name limit 5');
    await migrate(url, { encryptionKey, only: rows.slice(0, 5).map(({ name }) => name) }).catch(() => {});
    const target = await openUrl(url);
    expect((await target.query('select from schema_migrations')).rowCount).toBe(5);
    expect((await restore(url)).rows).toBeGreaterThan(100);
  });

  it('that was killed after its rows were loaded goes on from there', async () => {
    await furnish(owner);
    await back();
    const url = await blank();
    await migrate(url, { encryptionKey });
    const target = await openUrl(url);
    // What follows the rows is the record of the key.
    await target.query(`
      create function is_killed() returns trigger language plpgsql as $$ begin raise 'killed'; end $$;
      create trigger is_killed before insert or update on app_settings for each row when (new.key like '%key%') execute function is_killed();
      alter table app_settings enable always trigger is_killed`);
    await expect(restore(url)).rejects.toThrow('killed');
    const { rows } = await target.query<{ count: number }>('select count(*)::int as count from jobs');
    expect(rows[0]?.count).toBeGreaterThan(0);
    await target.query('drop function is_killed cascade');
    expect((await restore(url)).rows).toBeGreaterThan(100);
    expect((await target.query("select from app_settings where key = 'restore.unfinished'")).rowCount).toBe(0);
    await expect(restore(url)).rejects.toThrow('The database is not empty');
  });

  it('that is refused leaves no login behind', async () => {
    await back();
    await owner.query("update schema_migrations set hash = 'h' where name like '0001%'");
    const refused = join(folder, 'refused.backup');
    await back({ file: refused });
    const ownKey = 'a key of more than 32 characters that no other test uses';
    const header = await examineBackup(refused, { encryptionKey: ownKey, withAnotherKey: true });
    const ownerUrl = await blank();
    await expect(restoreBackup({ file: refused, header, ownerUrl, encryptionKey: ownKey, now })).rejects.toThrow(
      'The migrations of the backup differ',
    );
    const { rows } = await owner.query('select rolname from pg_roles where rolname = any ($1)', [
      ['app', 'engine', 'auth'].map((role) => `${loginOf('app', ownKey).replace('_app_', `_${role}_`)}`),
    ]);
    expect(rows).toEqual([]);
  });

  it('waits for no other into the same database, and leaves its logins to it', async () => {
    await furnish(owner);
    await back();
    const ownKey = 'another key of more than 32 characters that no test uses';
    const header = await examineBackup(file, { encryptionKey: ownKey, withAnotherKey: true });
    const ownerUrl = await blank();
    const restoreAgain = () => restoreBackup({ file, header, ownerUrl, encryptionKey: ownKey, now });
    const ended = await Promise.allSettled([restoreAgain(), restoreAgain()]);
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(ended.find((one) => one.status === 'rejected')?.reason).toEqual(
      new CommandFailed('Another restore is writing into this database. Wait until it has ended.'),
    );
    const target = await openUrl(ownerUrl);
    expect(await hasLogins(target, ownKey)).toBe(true);
    await dropLogins(target, ownKey);
  });

  it('asks for the key of the backup, unless it is known to be lost', async () => {
    await furnish(owner);
    await back();
    const asked = (key: string | null, withAnotherKey = false) =>
      examineBackup(file, { encryptionKey: key, withAnotherKey });
    await expect(asked(null)).rejects.toThrow(
      /^The backup needs the encryption key with the fingerprint [0-9a-f]{16}, and none is set here\. Put its encryption\.key/,
    );
    await expect(asked('another key of more than 32 characters')).rejects.toThrow(/and another one is set here/);
    expect((await asked(null, true)).made_at).toBe(now.toString());
    const text = gunzipSync(await readFile(file)).toString();
    expect(text).not.toContain(encryptionKey);
    expect(text).not.toContain(loginOf('engine', encryptionKey));
  });

  it('refuses a backup of a newer version', async () => {
    await owner.query("insert into schema_migrations (name, hash) values ('9999_later.sql', 'h')");
    await back();
    await expect(restore(await blank())).rejects.toThrow(
      /^The backup is from a newer version of Cuebird \(.*this version does not know 9999_later\.sql\)\. Restore it with that version\.$/,
    );
  });

  it('refuses a backup with different migrations', async () => {
    await owner.query("update schema_migrations set hash = 'h' where name like '0001%'");
    await back();
    await expect(restore(await blank())).rejects.toThrow(
      'The migrations of the backup differ from those of this version.',
    );
  });

  describe('says in one line what is wrong with the file, before it touches a database', () => {
    const refused = async (path: string) => {
      const refusal = await examineBackup(path, { encryptionKey, withAnotherKey: false }).catch(
        (error: unknown) => error,
      );
      expect(refusal).toBeInstanceOf(BadBackup);
      return (refusal as BadBackup).message;
    };

    it('that is not there, a folder, no gzip or no backup', async () => {
      expect(await refused(join(folder, 'none'))).toBe(`There is no file ${join(folder, 'none')}.`);
      expect(await refused(folder)).toBe(`${folder} is a folder.`);
      await writeFile(join(folder, 'text'), 'select 1');
      expect(await refused(join(folder, 'text'))).toMatch(
        /is damaged or not a backup of Cuebird: it cannot be unzipped\.$/,
      );
      await writeFile(join(folder, 'zipped'), gzipSync('select 1\n'));
      expect(await refused(join(folder, 'zipped'))).toMatch(/a line has an unexpected format\.$/);
      await writeFile(join(folder, 'empty'), gzipSync(''));
      expect(await refused(join(folder, 'empty'))).toMatch(/it ends too early\.$/);
    });

    it('that was cut short, anywhere', async () => {
      await furnish(owner);
      await back();
      const whole = await readFile(file);
      for (const share of [0.1, 0.5, 0.9, 0.999]) {
        await writeFile(join(folder, 'cut'), whole.subarray(0, Math.floor(whole.length * share)));
        expect(await refused(join(folder, 'cut'))).toMatch(/it ends too early\.$/);
      }
      const text = gunzipSync(whole).toString();
      await writeFile(join(folder, 'cut'), gzipSync(text.slice(0, text.lastIndexOf('{"complete"'))));
      expect(await refused(join(folder, 'cut'))).toMatch(/it ends too early\.$/);
      await writeFile(join(folder, 'longer'), gzipSync(`${text}more`));
      expect(await refused(join(folder, 'longer'))).toMatch(/something follows its end\.$/);
    });

    it('in which a word was changed or a row is missing', async () => {
      await furnish(owner);
      await back();
      const text = gunzipSync(await readFile(file)).toString();
      await writeFile(join(folder, 'changed'), gzipSync(text.replace('here@example.com', 'mine@example.com')));
      expect(await refused(join(folder, 'changed'))).toMatch(/the rows of profiles do not match their checksum\.$/);
      await writeFile(join(folder, 'fewer'), gzipSync(text.replace(/^.*\tthere@example\.com\t.*\n/m, '')));
      expect(await refused(join(folder, 'fewer'))).toMatch(/the rows of profiles do not match their checksum\.$/);
    });
  });

  it('that finds another file than the one it has examined leaves nothing behind', async () => {
    await furnish(owner);
    await back();
    const header = await examineBackup(file, { encryptionKey, withAnotherKey: false });
    const text = gunzipSync(await readFile(file)).toString();
    await writeFile(file, gzipSync(text.replace('there@example.com', 'mine@example.com')));
    await copyFile(file, `${file}.changed`);
    const url = await blank();
    await expect(restoreBackup({ file, header, ownerUrl: url, encryptionKey, now })).rejects.toThrow(BadBackup);
    expect((await (await openUrl(url)).query('select from profiles')).rowCount).toBe(0);
  });

  it('lets numbered rows go on behind the highest number', async () => {
    await owner.query('create table numbered (id int generated always as identity, n serial, word text)');
    await owner.query("insert into numbered (id, n, word) overriding system value values (41, 7, 'copied in')");
    await owner.query('create table empty_one (id serial)');
    await fixSequences(owner);
    const { rows } = await owner.query("insert into numbered (word) values ('next') returning id, n");
    expect(rows).toEqual([{ id: 42, n: 8 }]);
    expect((await owner.query('insert into empty_one default values returning id')).rows).toEqual([{ id: 1 }]);
  });
});
