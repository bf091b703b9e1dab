import type { NavigationLink } from '#web/app/navigation.ts';

type Screen = NavigationLink['to'] | '/reminders/new' | '/agenda';

export type Command = { kind: 'palette' } | { kind: 'help' } | { kind: 'search' } | { kind: 'go'; to: Screen };

export type Shortcut = { keys: readonly string[]; label: string; command: Command };

const go = (key: string, { label, to }: { label: string; to: Screen }): Shortcut => ({
  keys: ['G', key],
  label,
  command: { kind: 'go', to },
});

/** Listed in the order of the shortcut sheet. `Mod` is Ctrl, or Cmd on Apple devices. */
export const shortcuts: readonly Shortcut[] = [
  { keys: ['Mod', 'K'], label: 'Search, or jump to anything', command: { kind: 'palette' } },
  { keys: ['/'], label: 'Search this list', command: { kind: 'search' } },
  { keys: ['N'], label: 'New reminder', command: { kind: 'go', to: '/reminders/new' } },
  go('D', { label: 'Dashboard', to: '/dashboard' }),
  go('A', { label: 'Agenda', to: '/agenda' }),
  go('R', { label: 'Reminders', to: '/reminders' }),
  go('P', { label: 'Contacts', to: '/contacts' }),
  go('B', { label: 'Billing', to: '/billing' }),
  go('T', { label: 'Templates', to: '/templates' }),
  go('C', { label: 'Channels', to: '/channels' }),
  go('J', { label: 'Jobs', to: '/jobs' }),
  go('I', { label: 'Inbox', to: '/inbox' }),
  { keys: ['?'], label: 'Keyboard shortcuts', command: { kind: 'help' } },
];

export type Press = { key: string; mod: boolean; alt: boolean; isTyping: boolean };

/** The second key of a sequence must follow within this time. */
export const sequenceMs = 1_000;

/**
 * The command of a key, after the key before it. In text inputs only keys with Mod count.
 * @param before the key that began a sequence, or null
 * @returns `begun` when another key may follow
 */
export function commandOf(press: Press, before: string | null): Command | 'begun' | null {
  if (press.alt) return null;
  if (press.mod) return matching(['Mod', press.key]);
  if (press.isTyping) return null;
  const found = (before === null ? null : matching([before, press.key])) ?? matching([press.key]);
  if (found !== null) return found;
  return shortcuts.some(({ keys: [first], keys }) => keys.length > 1 && same(first, press.key)) ? 'begun' : null;
}

function matching(pressed: readonly string[]): Command | null {
  const found = shortcuts.find(
    ({ keys }) => keys.length === pressed.length && keys.every((key, at) => same(key, pressed[at])),
  );
  return found?.command ?? null;
}

const same = (a: string | undefined, b: string | undefined) =>
  a !== undefined && b !== undefined && a.toLowerCase() === b.toLowerCase();
