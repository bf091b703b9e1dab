import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadEncryptionKeys, writeKeyFile } from './encryption-keys.ts';

const key = 'a key that is at least 32 characters long';

describe('the encryption key', () => {
  let dataDir: string;
  beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'cuebird-secrets-'))));
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('is ENCRYPTION_KEY where that is set', () => {
    expect(loadEncryptionKeys({ envKey: key, dataDir })).toEqual({ newest: key, older: [] });
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('is refused when too short', () => {
    expect(() => loadEncryptionKeys({ envKey: 'short', dataDir })).toThrow(
      'ENCRYPTION_KEY has 5 characters; it needs at least 32',
    );
  });

  it('is made once as a file for its owner only', () => {
    const nested = join(dataDir, 'not', 'there');
    const made = loadEncryptionKeys({ envKey: undefined, dataDir: nested });
    expect(made.newest).toMatch(/^[\w-]{43}$/);
    expect(loadEncryptionKeys({ envKey: undefined, dataDir: nested })).toEqual(made);
    expect(readdirSync(nested)).toEqual(['encryption.key']);
    expect(statSync(join(nested, 'encryption.key')).mode & 0o777).toBe(0o600);
  });

  it('is closed to others again when its file was opened to them', () => {
    const made = loadEncryptionKeys({ envKey: undefined, dataDir });
    chmodSync(join(dataDir, 'encryption.key'), 0o644);
    expect(loadEncryptionKeys({ envKey: undefined, dataDir })).toEqual(made);
    expect(statSync(join(dataDir, 'encryption.key')).mode & 0o777).toBe(0o600);
  });

  it('is the first line of its file, before those that it has replaced', () => {
    const made = loadEncryptionKeys({ envKey: undefined, dataDir });
    const keys = { newest: 'n'.repeat(40), older: [made.newest, 'o'.repeat(40)] };
    writeKeyFile(dataDir, keys);
    expect(loadEncryptionKeys({ envKey: undefined, dataDir })).toEqual(keys);
    expect(readdirSync(dataDir)).toEqual(['encryption.key']);
    expect(statSync(join(dataDir, 'encryption.key')).mode & 0o777).toBe(0o600);
  });

  it('has older ones in the environment too, each once', () => {
    const older = 'o'.repeat(40);
    const envOlder = [older, key, older];
    expect(loadEncryptionKeys({ envKey: key, envOlder, dataDir })).toEqual({ newest: key, older: [older] });
  });

  it('is refused when a line of its file is none', () => {
    writeFileSync(join(dataDir, 'encryption.key'), `${key}\nshort\n`);
    expect(() => loadEncryptionKeys({ envKey: undefined, dataDir })).toThrow('or a line that is none');
  });

  it('is never replaced when its file is damaged', () => {
    writeFileSync(join(dataDir, 'encryption.key'), '');
    expect(() => loadEncryptionKeys({ envKey: undefined, dataDir })).toThrow('Restore it');
    expect(readFileSync(join(dataDir, 'encryption.key'), 'utf8')).toBe('');
  });
});
