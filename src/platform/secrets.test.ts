import { describe, expect, it } from 'vitest';
import { keyFingerprint } from './encryption-keys.ts';
import { createSecretBox } from './secrets.ts';

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

  it('derives from older keys too, until it forgets them', () => {
    const old = createSecretBox(key);
    const sealed = old.seal('secret', context);
    const rotated = createSecretBox('another key, also at least 32 characters', [key]);
    expect(rotated.deriveKeys('cookies')).toEqual([rotated.deriveKey('cookies'), old.deriveKey('cookies')]);
    expect([rotated.keyOf(sealed), rotated.keyOf(rotated.seal('secret', context))]).toEqual(['older', 'newest']);
    rotated.forget([keyFingerprint(key)]);
    expect(rotated.deriveKeys('cookies')).toEqual([rotated.deriveKey('cookies')]);
    expect(rotated.keyOf(sealed)).toBe('unknown');
    expect(() => rotated.open(sealed, context)).toThrow('sealed with another encryption key');
  });

  it('derives the same key for the same purpose and another for another', () => {
    const box = createSecretBox(key);
    expect(box.deriveKey('cookies')).toHaveLength(32);
    expect(box.deriveKey('cookies')).toEqual(createSecretBox(key).deriveKey('cookies'));
    expect(box.deriveKey('cookies')).not.toEqual(box.deriveKey('roles'));
    expect(box.deriveKey('cookies')).not.toEqual(createSecretBox(`${key}!`).deriveKey('cookies'));
  });
});
