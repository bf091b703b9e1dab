import { describe, expect, it } from 'vitest';
import { commandOf, shortcuts } from './shortcut-keys.ts';

const press = (key: string, more: { mod?: boolean; alt?: boolean; isTyping?: boolean } = {}) => ({
  key,
  mod: false,
  alt: false,
  isTyping: false,
  ...more,
});

describe('the shortcuts', () => {
  it('open the palette, also while somebody types', () => {
    expect(commandOf(press('k', { mod: true }), null)).toEqual({ kind: 'palette' });
    expect(commandOf(press('K', { mod: true, isTyping: true }), null)).toEqual({ kind: 'palette' });
  });

  it('go to a screen by two keys, the second alone going nowhere', () => {
    expect(commandOf(press('g'), null)).toBe('begun');
    expect(commandOf(press('j'), 'g')).toEqual({ kind: 'go', to: '/jobs' });
    expect(commandOf(press('j'), null)).toBeNull();
    expect(commandOf(press('j'), 'x')).toBeNull();
  });

  it('leave what is typed, and what the browser or a screen reader understands, alone', () => {
    for (const key of ['n', '/', '?', 'g']) expect(commandOf(press(key, { isTyping: true }), null)).toBeNull();
    expect(commandOf(press('n', { mod: true }), null)).toBeNull();
    expect(commandOf(press('n', { alt: true }), null)).toBeNull();
  });

  it('are each asked for in one way', () => {
    const keys = shortcuts.map((shortcut) => shortcut.keys.join(' '));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
