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
  it('open the palette, even while a field has the focus', () => {
    expect(commandOf(press('k', { mod: true }), null)).toEqual({ kind: 'palette' });
    expect(commandOf(press('K', { mod: true, isTyping: true }), null)).toEqual({ kind: 'palette' });
  });

  it('go to a screen with two keys; the second key alone does nothing', () => {
    expect(commandOf(press('g'), null)).toBe('begun');
    expect(commandOf(press('j'), 'g')).toEqual({ kind: 'go', to: '/jobs' });
    expect(commandOf(press('j'), null)).toBeNull();
    expect(commandOf(press('j'), 'x')).toBeNull();
  });

  it('ignore typed text and the keys of the browser and of screen readers', () => {
    for (const key of ['n', '/', '?', 'g']) expect(commandOf(press(key, { isTyping: true }), null)).toBeNull();
    expect(commandOf(press('n', { mod: true }), null)).toBeNull();
    expect(commandOf(press('n', { alt: true }), null)).toBeNull();
  });

  it('have one key combination each', () => {
    const keys = shortcuts.map((shortcut) => shortcut.keys.join(' '));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
