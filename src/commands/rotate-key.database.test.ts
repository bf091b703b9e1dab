import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { writeBackup } from '#commands/backup.ts';
import { examineBackup, restoreBackup } from '#commands/restore.ts';
import { type Rotation, rotate } from '#commands/rotate-key.ts';
import { answerContext } from '#http/idempotency.ts';
import { keyFingerprint } from '#platform/encryption-keys.ts';
import { readKeyRecord, takeKeysIntoUse } from '#platform/key-record.ts';
import { migrate } from '#platform/migrate.ts';
import { loginOf } from '#platform/roles.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { now, openBackupFixture } from '#testing/backup-fixture.ts';
import { signUp } from '#testing/cuebird.ts';
import { createTestDatabase } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { createInstallation, type TestInstallation } from '#testing/process.ts';
import { runCommand } from '#testing/run-command.ts';

/** Keys of one test's own: logins are named after them, and the server is everybody's. */
const newKey = () => randomBytes(32).toString('base64url');

/** As many sealed answers as more than two batches have. */
const answers = 450;

async function sealAnswers(owner: Client, key: string, count = answers) {
  const box = createSecretBox(key);
  const userId = randomUUID();
  const rows = Array.from({ length: count }, (_, at) => {
    const context = answerContext({ workspaceId: null, senderId: userId, key: `${at}` });
    return { key: `${at}`, answer: box.seal(JSON.stringify({ at }), context) };
  });
  await owner.query(
    `insert into idempotency_keys (user_id, key, request_hash, status, answer)
     select $1, key, '', 201, answer from jsonb_to_recordset($2) as t (key text, answer text)`,
    [userId, JSON.stringify(rows)],
  );
  return userId;
}

/** How many answers this key alone opens. */
async function openedBy(owner: Client, key: string) {
  const box = createSecretBox(key);
  const { rows } = await owner.query('select user_id, key, answer from idempotency_keys');
  return rows.filter(({ user_id: senderId, key: name, answer }) => {
    if (box.keyOf(answer) !== 'newest') return false;
    const opened = box.open(answer, answerContext({ workspaceId: null, senderId, key: name }));
    return opened === JSON.stringify({ at: Number(name) });
  }).length;
}

describe('the rotation of a key in the environment', { timeout: 120_000 }, () => {
  let installation: TestInstallation;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let owner: Client;
  let older: string;
  let newer: string;
  beforeAll(async () => {
    installation = await createInstallation();
  });
  beforeEach(async () => {
    [older, newer] = [newKey(), newKey()];
    database = await createTestDatabase();
    owner = await connectOwner(database.url);
    await migrate(database.url, { encryptionKey: older });
    await takeKeysIntoUse(owner, { newest: older, older: [] });
  });
  afterEach(async () => {
    await owner.end();
    await database.drop();
  });
  afterAll(() => installation.remove());

  const settings = () => ({ DATABASE_URL: database.url, SANDBOX: 'off' });
  const start = (args: string[], env: Record<string, string>) =>
    installation.start({ args, env: { ...settings(), ...env } });
  const rotated = () => ({ ENCRYPTION_KEY: newer, OLDER_ENCRYPTION_KEYS: older });
  const run = (env: Record<string, string>, ...args: string[]) =>
    runCommand({ DATA_DIR: installation.dataDir, ...settings(), ...env }, ['rotate-key', ...args]);
  /** Resolves once the command waits for a row that the test holds. */
  const untilItWaits = () =>
    expect
      .poll(
        async () => {
          const { rowCount } = await owner.query(
            "select from pg_stat_activity where datname = current_database() and application_name = 'cuebird rotate-key' and wait_event_type = 'Lock'",
          );
          return rowCount;
        },
        { timeout: 30_000 },
      )
      .toBe(1);

  it('says what to set, changes nothing, and does not print the present key', async () => {
    const { code, complained } = await run({ ENCRYPTION_KEY: older });
    expect(code).toBe(1);
    expect(complained).toMatch(/^The key is in ENCRYPTION_KEY, which this command cannot change\./);
    expect(complained).toMatch(
      /^ {2}ENCRYPTION_KEY=[\w-]{43}\n {2}OLDER_ENCRYPTION_KEYS=<what ENCRYPTION_KEY is now>$/m,
    );
    expect(complained).not.toContain(older);
    expect(await readKeyRecord(owner)).toMatchObject({ newest: keyFingerprint(older), replaced: [] });
  });

  it('refuses the database of another installation, and one that no process of this version has used', async () => {
    const other = newKey();
    const refused = await run({ ENCRYPTION_KEY: other });
    expect([refused.code, refused.complained]).toEqual([
      1,
      expect.stringContaining('it belongs to another installation'),
    ]);
    await owner.query("delete from app_settings where key = 'engine.encryption_keys'");
    const unused = await run({ ENCRYPTION_KEY: older });
    expect([unused.code, unused.complained]).toEqual([
      1,
      expect.stringContaining('start it once, then rotate the key'),
    ]);
  });

  it('is taken up again where it was killed, and refused twice at once', async () => {
    await sealAnswers(owner, older);
    const holder = await connectOwner(database.url);
    await holder.query('begin');
    await holder.query('select from idempotency_keys where ctid = (select max(ctid) from idempotency_keys) for update');
    const first = start(['rotate-key'], rotated());
    await untilItWaits();
    const second = await run(rotated());
    expect([second.code, second.complained]).toEqual([1, expect.stringMatching(/^The key is being rotated already/)]);
    // Of three batches two are done, each in a transaction of its own.
    expect([await openedBy(owner, newer), await openedBy(owner, older)]).toEqual([400, 50]);
    first.signal('SIGKILL');
    await first.ended;
    await holder.query('rollback');
    await holder.end();

    const { code, said } = await run(rotated());
    expect(code).toBe(0);
    expect(said).toMatch(/^A rotation has begun already, and is continued\.\n50 values sealed again\./);
    expect([await openedBy(owner, newer), await openedBy(owner, older)]).toEqual([answers, 0]);
    expect(await readKeyRecord(owner)).toMatchObject({ newest: keyFingerprint(newer), is_resealed: true });
    expect((await run(rotated())).complained).toMatch(/^Everything is sealed with the newest key already\./);
  });

  it('lets processes with either key run side by side until all are restarted', async () => {
    const before = start(['--role', 'web'], { ENCRYPTION_KEY: older });
    const { url: olderUrl } = await before.ready;
    const dana = await signUp(olderUrl, { name: 'Dana', email: 'dana@example.com' });
    const after = start(['--role', 'web'], rotated());
    const { url: newerUrl } = await after.ready;
    await before.line(/The encryption key was replaced/);
    const ready = async (url: string) => (await fetch(`${url}/api/ready`)).status;
    expect([await ready(olderUrl), await ready(newerUrl)]).toEqual([503, 200]);
    const asDana = async (url: string) =>
      (await fetch(`${url}/api/workspaces`, { headers: { cookie: dana.cookie } })).status;
    expect([await asDana(olderUrl), await asDana(newerUrl)]).toEqual([200, 200]);

    const begun = await run(rotated());
    expect([begun.code, begun.said]).toEqual([
      0,
      expect.stringMatching(/connections? of processes that have an older key only/),
    ]);
    expect(await readKeyRecord(owner)).toMatchObject({ is_resealed: false });
    expect(await asDana(olderUrl)).toBe(200);
    const late = await sealAnswers(owner, older, 1);
    before.signal('SIGTERM');
    await before.ended;
    expect((await run(rotated())).said).toMatch(
      /^A rotation has begun already, and is continued\.\n1 value sealed again\./,
    );
    const { rows } = await owner.query('select answer from idempotency_keys where user_id = $1', [late]);
    expect(createSecretBox(newer).keyOf(rows[0].answer)).toBe('newest');

    const refused = await start(['--role', 'web'], { ENCRYPTION_KEY: older }).ended;
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('OLDER_ENCRYPTION_KEYS')]);
    const revoked = await run(rotated(), '--revoke');
    expect([revoked.code, revoked.said]).toEqual([0, expect.stringContaining('Remove OLDER_ENCRYPTION_KEYS')]);
    await after.line(/older encryption keys are revoked/);
    await expect.poll(() => asDana(newerUrl)).toBe(401);
    const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [loginOf('app', older)]);
    expect(rowCount).toBe(0);
    after.signal('SIGTERM');
    await after.ended;
  });
});

/** In this process: what the command does with a database. */
describe('the rotation of a key', { timeout: 60_000 }, () => {
  let fixture: Awaited<ReturnType<typeof openBackupFixture>>;
  beforeEach(async () => {
    fixture = await openBackupFixture();
  });
  afterEach(() => fixture.close());

  async function rotateTo(
    ownerUrl: string,
    { newest, older }: { newest: string; older: string[] },
    changes: Partial<Rotation> = {},
  ) {
    const said: string[] = [];
    await rotate({
      ownerUrl,
      source: { envKey: newest, envOlder: older, dataDir: fixture.folder },
      given: null,
      revoke: false,
      removeOlder: false,
      say: (text) => void said.push(text),
      signal: new AbortController().signal,
      ...changes,
    });
    return said.join('\n');
  }

  it('leaves backups from before it readable for whoever has the older key, and says which one that is', async () => {
    const [older, newer] = [newKey(), newKey()];
    await migrate(fixture.url, { encryptionKey: older });
    await takeKeysIntoUse(fixture.owner, { newest: older, older: [] });
    await sealAnswers(fixture.owner, older, 3);
    await fixture.back({ encryptionKey: older });
    await rotateTo(fixture.url, { newest: newer, older: [older] });

    await expect(examineBackup(fixture.file, { encryptionKey: newer, withAnotherKey: false })).rejects.toThrow(
      `needs the encryption key with the fingerprint ${keyFingerprint(older)}`,
    );
    const keys = { encryptionKey: newer, olderKeys: [older] };
    const header = await examineBackup(fixture.file, { ...keys, withAnotherKey: false });
    const ownerUrl = await fixture.blank();
    const restored = await restoreBackup({ file: fixture.file, header, ownerUrl, ...keys, now });
    expect(restored).toMatchObject({ isResealed: false });
    const there = await fixture.openUrl(ownerUrl);
    expect([await openedBy(there, newer), await openedBy(there, older)]).toEqual([0, 3]);
    expect(await rotateTo(ownerUrl, { newest: newer, older: [older] })).toMatch(/^A rotation has begun.*\n3 values/);
    expect(await openedBy(there, newer)).toBe(3);

    const later = join(fixture.folder, 'later.backup');
    await writeBackup({ ownerUrl, encryptionKey: newer, file: later, now });
    expect(await examineBackup(later, { encryptionKey: newer, withAnotherKey: false })).not.toHaveProperty(
      'older_key_fingerprints',
    );
    await expect(
      writeBackup({ ownerUrl, encryptionKey: older, file: join(fixture.folder, 'none'), now }),
    ).rejects.toThrow('was replaced by another one');
  });

  it('names both keys in a backup that is made before everything is sealed again', async () => {
    const [older, newer] = [newKey(), newKey()];
    await migrate(fixture.url, { encryptionKey: newer });
    await takeKeysIntoUse(fixture.owner, { newest: older, older: [] });
    await takeKeysIntoUse(fixture.owner, { newest: newer, older: [older] });
    await fixture.back({ encryptionKey: newer });
    const examine = (olderKeys: string[]) =>
      examineBackup(fixture.file, { encryptionKey: newer, olderKeys, withAnotherKey: false });
    await expect(examine([])).rejects.toThrow(keyFingerprint(older));
    expect(await examine([older])).toMatchObject({ older_key_fingerprints: [keyFingerprint(older)] });
  });

  it('leaves what no key opens, and says where it is', async () => {
    const [lost, older, newer] = [newKey(), newKey(), newKey()];
    await migrate(fixture.url, { encryptionKey: older });
    await takeKeysIntoUse(fixture.owner, { newest: older, older: [] });
    await sealAnswers(fixture.owner, lost, 2);
    await sealAnswers(fixture.owner, older, 3);
    // A value that was moved to another row.
    await fixture.owner.query(
      "update idempotency_keys set key = 'moved' where ctid = (select max(ctid) from idempotency_keys)",
    );
    const said = await rotateTo(fixture.url, { newest: newer, older: [older] });
    expect(said).toMatch(/^A rotation has begun.*\n2 values sealed again\./);
    expect(said).toContain('No key that is set opens these rows, which stay as they are: idempotency_keys (1)');
    expect(await openedBy(fixture.owner, lost)).toBe(2);
  });

  it('tells an owner who may not create roles what an administrator has to run, and goes on afterwards', async () => {
    const [older, newer] = [newKey(), newKey()];
    const name = `owner_${randomUUID().replaceAll('-', '')}`;
    const admin = await connectOwner(inject('postgresUrl'));
    onTestFinished(async () => {
      await admin.query(`drop database if exists ${name} with (force)`);
      for (const key of [older, newer])
        for (const role of ['app', 'engine', 'auth'] as const)
          await admin.query(`drop role if exists ${loginOf(role, key)}`);
      await admin.query(`drop role ${name}`);
      await admin.end();
    });
    await admin.query(`create role ${name} login password 'owner' nocreaterole`);
    await admin.query(`create database ${name} owner ${name}`);
    const url = new URL(`/${name}`, inject('postgresUrl'));
    Object.assign(url, { username: name, password: 'owner' });
    const refusalOf = async (work: Promise<unknown>) => {
      const message = await work.then(String, (error: unknown) => (error instanceof Error ? error.message : ''));
      const statements = message.split('\n').filter((line) => line.endsWith(';'));
      for (const statement of statements) await admin.query(statement);
      return message;
    };
    await refusalOf(migrate(url.href, { encryptionKey: older }));
    await migrate(url.href, { encryptionKey: older });
    const owner = await connectOwner(url.href);
    await takeKeysIntoUse(owner, { newest: older, older: [] });
    const asAdmin = await connectOwner(Object.assign(new URL(inject('postgresUrl')), { pathname: `/${name}` }).href);
    await sealAnswers(asAdmin, older, 3);

    const keys = { newest: newer, older: [older] };
    expect(await refusalOf(rotateTo(url.href, keys))).toContain('Ask an administrator of the server to run:');
    expect(await rotateTo(url.href, keys)).toContain('3 values sealed again.');
    expect(await openedBy(asAdmin, newer)).toBe(3);
    const revoked = await rotateTo(url.href, keys, { revoke: true });
    expect(revoked).toContain(`drop role ${loginOf('app', older)};`);
    await owner.end();
    await asAdmin.end();
  });
});
