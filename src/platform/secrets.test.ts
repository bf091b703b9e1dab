import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecretBox, loadEncryptionKey } from './secrets.ts';

const key = 'a key that is at least 32 characters long';
const context = { workspaceId: 'w1', channelId: 'c1' };

describe('a secret box', () => {
  it('opens what it sealed, and never seals the same text twice alike', () => {
    const box = createSecretBox(key);
    const sealed = box.seal('pässword', context);
    expect(box.open(sealed, context)).toBe('pässword');
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]+\.[\w-]{22}$/);
    expect(box.seal('pässword', context)).not.toBe(sealed);
    expect(box.open(box.seal('', context), context)).toBe('');
  });

  it('opens a secret only in the workspace and channel it was sealed for', () => {
    const box = createSecretBox(key);
    const sealed = box.seal('secret', context);
    expect(() => box.open(sealed, { ...context, workspaceId: 'w2' })).toThrow();
    expect(() => box.open(sealed, { ...context, channelId: 'c2' })).toThrow();
  });

  it('refuses a secret that was altered anywhere', () => {
    const box = createSecretBox(key);
    const sealed = box.seal('secret', context);
    for (let at = 0; at < sealed.length; at++) {
      const altered = sealed.slice(0, at) + (sealed[at] === 'A' ? 'Q' : 'A') + sealed.slice(at + 1);
      expect(() => box.open(altered, context)).toThrow();
    }
    expect(() => box.open('plain text', context)).toThrow('not a sealed secret');
    expect(() => box.open(sealed.slice(0, -4), context)).toThrow();
  });

  it('opens with an older key during a rotation and seals with the newest', () => {
    const old = createSecretBox(key);
    const sealedBefore = old.seal('secret', context);
    const rotated = createSecretBox('another key, also at least 32 characters', [key]);
    expect(rotated.open(sealedBefore, context)).toBe('secret');
    expect(() => old.open(rotated.seal('secret', context), context)).toThrow('sealed with another encryption key');
  });

  it('derives the same key for the same purpose and another for another', () => {
    const box = createSecretBox(key);
    expect(box.deriveKey('cookies')).toHaveLength(32);
    expect(box.deriveKey('cookies')).toEqual(createSecretBox(key).deriveKey('cookies'));
    expect(box.deriveKey('cookies')).not.toEqual(box.deriveKey('roles'));
    expect(box.deriveKey('cookies')).not.toEqual(createSecretBox(`${key}!`).deriveKey('cookies'));
  });
});

describe('the encryption key', () => {
  let dataDir: string;
  beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'cuebird-secrets-'))));
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('is ENCRYPTION_KEY where that is set', () => {
    expect(loadEncryptionKey({ envKey: key, dataDir })).toBe(key);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('is refused when too short', () => {
    expect(() => loadEncryptionKey({ envKey: 'short', dataDir })).toThrow(
      'ENCRYPTION_KEY has 5 characters; it needs at least 32',
    );
  });

  it('is made once as a file for its owner only', () => {
    const nested = join(dataDir, 'not', 'there');
    const made = loadEncryptionKey({ envKey: undefined, dataDir: nested });
    expect(made).toMatch(/^[\w-]{43}$/);
    expect(loadEncryptionKey({ envKey: undefined, dataDir: nested })).toBe(made);
    expect(readdirSync(nested)).toEqual(['encryption.key']);
    expect(statSync(join(nested, 'encryption.key')).mode & 0o777).toBe(0o600);
  });

  it('is closed to others again when its file was opened to them', () => {
    const made = loadEncryptionKey({ envKey: undefined, dataDir });
    chmodSync(join(dataDir, 'encryption.key'), 0o644);
    expect(loadEncryptionKey({ envKey: undefined, dataDir })).toBe(made);
    expect(statSync(join(dataDir, 'encryption.key')).mode & 0o777).toBe(0o600);
  });

  it('is never replaced when its file is damaged', () => {
    writeFileSync(join(dataDir, 'encryption.key'), '');
    expect(() => loadEncryptionKey({ envKey: undefined, dataDir })).toThrow('Restore it');
    expect(readFileSync(join(dataDir, 'encryption.key'), 'utf8')).toBe('');
  });
});
