import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decrypted, encrypted, WrongPassphrase } from '#commands/age.ts';
import { backupPassphrase } from '#commands/backup-passphrase.ts';
import { examineBackup, restoreBackup } from '#commands/restore.ts';
import { type BackupFixture, contentOf, furnish, now, openBackupFixture } from '#testing/backup-fixture.ts';
import { TEST_ENCRYPTION_KEY as encryptionKey } from '#testing/database.ts';

const passphrase = 'correct horse battery';

async function* inParts(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size));
}
async function collected(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all);
}

describe('an encrypted backup', () => {
  let fixture: BackupFixture;
  beforeEach(async () => {
    fixture = await openBackupFixture();
  });
  afterEach(() => fixture.close());

  const examine = (given: string | null, file = fixture.file) =>
    examineBackup(file, { encryptionKey, withAnotherKey: false, passphrase: given });

  it('gives back every row with its passphrase', async () => {
    await furnish(fixture.owner);
    const made = await fixture.back({ passphrase });
    const text = await readFile(fixture.file, 'latin1');
    expect(text).toMatch(/^age-encryption\.org\/v1\n-> scrypt \S+ 17\n/);
    const url = await fixture.blank();
    const header = await examine(passphrase);
    const restored = await restoreBackup({ file: fixture.file, header, ownerUrl: url, encryptionKey, now, passphrase });
    expect(restored.rows).toBe(made.rows);
    const { app_settings: _, auth_sessions: __, auth_verifications: ___, ...original } = await contentOf(fixture.owner);
    expect(await contentOf(await fixture.openUrl(url))).toMatchObject(original);
  });

  it('is refused without its passphrase, with another one, and where a byte was changed or is missing', async () => {
    await fixture.back({ passphrase });
    await expect(examine(null)).rejects.toThrow(
      `${fixture.file} is encrypted: set BACKUP_PASSPHRASE or BACKUP_KEY_FILE to what it was encrypted with.`,
    );
    await expect(examine('another passphrase')).rejects.toThrow('is encrypted with another passphrase than the one');
    const bytes = await readFile(fixture.file);
    const damaged = join(fixture.folder, 'damaged.backup');
    for (const at of [bytes.length - 1, bytes.length - 2_000]) {
      await writeFile(damaged, bytes.with(at, (bytes[at] ?? 0) ^ 1));
      await expect(examine(passphrase, damaged), `byte ${at}`).rejects.toThrow('is damaged or not a backup of Cuebird');
    }
    await writeFile(damaged, bytes.subarray(0, -20));
    await expect(examine(passphrase, damaged)).rejects.toThrow('it ends too early, or was changed');
  });
});

/** Soon made and read; a backup takes a second for its passphrase. */
const weak = { passphrase, workFactor: 8 };

describe('the age format', () => {
  it('reads what age has written', async () => {
    const file = Buffer.from(
      'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBBREtJcE9RWFFmMVlRR21UdXlDbWZ3IDEwCnc0dENYcjlMUCthaWVEaU5hN2JzM01iWXdGdEkzbTBJQUttZko5N0lrUXMKLS0tIElybzhaVUdoS3ltazRjZi9Qcjh3QzlDZEhtUzF1dDlFMDBwN2tPZHlHRkkKB7Tmq1hddXUdY8PWGSKFSIHkeBSZEFoY5ybGjdJnVzih2sQL4SBOQPAVb+TifApnFWcOqMpEDBcPncBU4BBzGQ==',
      'base64',
    );
    const text = await collected(decrypted(inParts(file, 7), { passphrase }));
    expect(text.toString()).toBe('a backup that age has encrypted\n');
  });

  it('reads a backup of the first version, which wrote the format itself', async () => {
    const file = Buffer.from(
      'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBiTmM2RkZFQW9Vdi8wdURxaUQ1VkZBIDE3CklWRHhYRHB3cXlHWnZ3WlZNME1QQUhSTFB1c2g5ekluNmNtMVV1VmtnaE0KLS0tIFg4T3Nkb2I0M0RObFplUkU2THQ3TXhSUS95dmFuREQxblI5N2FibUk4VkkKoXrUck4GYuGTm5FACPSEicKu8ViRKpIkGGkz1Ogh5lufF9lR5Vgsr58GdS8X3Swb/yBI',
      'base64',
    );
    expect((await collected(decrypted(inParts(file, 100), { passphrase }))).toString()).toBe('a backup of before\n');
  });

  it('reads as much as it has room for, and no header that does not end', async () => {
    let taken = 0;
    const endless = async function* (begin: string) {
      yield Buffer.from(begin);
      for (;;) {
        taken += 1;
        yield Buffer.alloc(65_536, 'a');
      }
    };
    let given = 0;
    for await (const part of encrypted(endless(''), weak)) {
      given += part.length;
      expect(taken * 65_536 - given).toBeLessThan(1_000_000);
      if (given > 5_000_000) break;
    }
    taken = 0;
    const header = collected(decrypted(endless('age-encryption.org/v1\n'), { passphrase }));
    await expect(header).rejects.toThrow('its header does not end');
    expect(taken).toBe(1);
  });

  it('tells a wrong passphrase, damage and a source that cannot be read', async () => {
    const file = await collected(encrypted(inParts(Buffer.alloc(200_000, 'rows'), 10_000), weak));
    const read = (bytes: Uint8Array, given = passphrase) =>
      collected(decrypted(inParts(bytes, 10_000), { passphrase: given }));
    await expect(read(file, 'another passphrase')).rejects.toThrow(WrongPassphrase);
    await expect(read(file.subarray(0, -1))).rejects.toThrow('it ends too early, or was changed');
    await expect(read(file.with(1_000, (file[1_000] ?? 0) ^ 1))).rejects.toThrow('it was changed');
    await expect(read(file.with(110, (file[110] ?? 0) ^ 1))).rejects.toThrow('its header was changed');
    const broken = async function* () {
      yield file.subarray(0, 1_000);
      throw new Error('the disk is gone');
    };
    await expect(collected(decrypted(broken(), { passphrase }))).rejects.toThrow('the disk is gone');
  });

  it.each([0, 1, 65_536, 65_537, 200_000])('%i bytes come back, in parts of any size', async (size) => {
    const plain = Buffer.alloc(size, 'rows');
    const file = await collected(encrypted(inParts(plain, 10_007), weak));
    expect((await collected(decrypted(inParts(file, 777), { passphrase }))).equals(plain)).toBe(true);
  });
});

describe('the passphrase of backups', () => {
  it('is in a variable or a file, and of 16 characters at least', async () => {
    const fixture = await openBackupFixture();
    const file = join(fixture.folder, 'backup.key');
    await writeFile(file, `${passphrase}\n`);
    expect(await backupPassphrase({ BACKUP_PASSPHRASE: undefined, BACKUP_KEY_FILE: undefined })).toBeNull();
    expect(await backupPassphrase({ BACKUP_PASSPHRASE: passphrase, BACKUP_KEY_FILE: undefined })).toBe(passphrase);
    expect(await backupPassphrase({ BACKUP_PASSPHRASE: undefined, BACKUP_KEY_FILE: file })).toBe(passphrase);
    await writeFile(file, 'short');
    const of = { BACKUP_PASSPHRASE: undefined, BACKUP_KEY_FILE: file };
    await expect(backupPassphrase(of)).rejects.toThrow('holds less than 16 characters');
    await expect(backupPassphrase({ ...of, BACKUP_KEY_FILE: `${file}.gone` })).rejects.toThrow('cannot be read');
    await fixture.close();
  });
});
