import { beforeEach, describe, expect, it } from 'vitest';
import { newDraft } from '#web/features/reminders/form/draft.ts';
import { type KeptDraft, pruneMessages, readKept, writeKept } from './kept-draft.ts';

const now = new Date('2026-11-20T14:03:00Z');
const key = 'cuebird.draft.ann.elm.new';
const kept: KeptDraft = { saved_at: now.toISOString(), base: null, draft: newDraft({ now, zone: 'Europe/Berlin' }) };
let storage: Storage;

beforeEach(() => {
  storage = memory();
});

const readAt = (at: Date) => readKept(storage, { key, now: at });

describe('a stored draft', () => {
  it('is restored unchanged, even when it is incomplete', () => {
    const draft = { ...kept.draft, metadata: { ...kept.draft.metadata, channels: [] } };
    writeKept(storage, { key, kept: { ...kept, draft } });
    expect(readAt(now)).toEqual({ ...kept, draft });
  });

  it('is deleted after a month', () => {
    writeKept(storage, { key, kept });
    expect(readAt(new Date('2026-12-20T14:02:59Z'))).toEqual(kept);
    expect(readAt(new Date('2026-12-20T14:03:00Z'))).toBeNull();
    expect(storage.length).toBe(0);
  });

  it('of a message is one of twenty at most, the latest', () => {
    const prefix = 'cuebird.draft.ann.elm.to-';
    for (let at = 0; at < 23; at += 1) {
      const saved = new Date(now.getTime() + at * 60_000).toISOString();
      writeKept(storage, { key: `${prefix}${at}`, kept: { ...kept, saved_at: saved } });
    }
    writeKept(storage, { key, kept });
    pruneMessages(storage, { prefix, now });
    expect(storage.length).toBe(21);
    expect([0, 1, 2, 3, 22].map((at) => storage.getItem(`${prefix}${at}`) !== null)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
    pruneMessages(storage, { prefix, now: new Date('2026-12-25T14:00:00Z') });
    expect(storage.length).toBe(1);
  });

  it.each(['', 'nonsense', '{}', JSON.stringify({ ...kept, draft: { ...kept.draft, content: {} } })])(
    'is deleted when it cannot be read: %.20s',
    (text) => {
      storage.setItem(key, text);
      expect(readAt(now)).toBeNull();
      expect(storage.length).toBe(0);
    },
  );
});

function memory(): Storage {
  const stored = new Map<string, string>();
  return {
    get length() {
      return stored.size;
    },
    clear: () => stored.clear(),
    getItem: (name) => stored.get(name) ?? null,
    key: (index) => [...stored.keys()][index] ?? null,
    removeItem: (name) => void stored.delete(name),
    setItem: (name, text) => void stored.set(name, text),
  };
}
