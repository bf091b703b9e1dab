import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useEver } from '#web/ui/use-ever.ts';
import { type Command, commandOf, sequenceMs } from './shortcut-keys.ts';
import { useTypedAhead } from './typed-ahead.ts';

const Palette = lazy(() => import('./Palette.tsx'));
const ShortcutSheet = lazy(() => import('./ShortcutSheet.tsx'));

/** The open dialog, or null. */
export type Opened = 'palette' | 'help' | null;

/** Listens for the shortcuts on every signed-in screen, and shows the palette and the shortcut sheet. */
export function Shortcuts({ opened, onOpen }: { opened: Opened; onOpen: (opened: Opened) => void }) {
  const navigate = useNavigate();
  const run = (command: Command): void => {
    switch (command.kind) {
      case 'palette':
        return onOpen(opened === 'palette' ? null : 'palette');
      case 'help':
        return onOpen('help');
      case 'search':
        return focusSearch();
      case 'go':
        return void navigate({ to: command.to });
      default:
        return command satisfies never;
    }
  };
  useCommands(run);
  const { query, setQuery } = useTypedAhead({ isOpen: opened === 'palette', onClose: () => onOpen(null) });
  useSaveKey();
  const isPaletteWanted = useEver(opened === 'palette');
  const isSheetWanted = useEver(opened === 'help');
  return (
    <Suspense>
      {isPaletteWanted && (
        <Palette
          opened={opened === 'palette'}
          query={query}
          onQuery={setQuery}
          onClose={() => onOpen(null)}
          onHelp={() => onOpen('help')}
        />
      )}
      {isSheetWanted && <ShortcutSheet opened={opened === 'help'} onClose={() => onOpen(null)} />}
    </Suspense>
  );
}

function useCommands(run: (command: Command) => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    let before: { key: string; at: number } | null = null;
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat) return;
      const { key, altKey: alt } = event;
      const mod = event.metaKey || event.ctrlKey;
      const began = before !== null && event.timeStamp - before.at < sequenceMs ? before.key : null;
      const command = commandOf({ key, mod, alt, isTyping: isTaken(event.target, key) }, began);
      before = command === 'begun' ? { key, at: event.timeStamp } : null;
      if (command === null || command === 'begun') return;
      event.preventDefault();
      latest.current(command);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/**
 * Ctrl+Enter, or Cmd+Enter, submits the form around the focus. It is heard before the field, where Enter alone may add an
 * entry.
 */
function useSaveKey(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.repeat || event.isComposing) return;
      const form = event.target instanceof HTMLElement ? event.target.closest('form') : null;
      const button = form?.querySelector<HTMLButtonElement>('button[type="submit"]');
      if (!form || !button) return;
      event.preventDefault();
      event.stopPropagation();
      if (!button.disabled && button.ariaDisabled !== 'true') form.requestSubmit(button);
    };
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, []);
}

/** Whether the target is a text input, or a dialog, menu or list handles the key itself. */
function isTaken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName)) return true;
  if (document.querySelector('[role="dialog"]') !== null) return true;
  return target.closest('[role="menu"], [role="listbox"], [role="combobox"]') !== null && key !== '?';
}

/** Focuses the search box of the current list. */
function focusSearch(): void {
  const box = document.querySelector('#content input[type="search"]');
  if (box instanceof HTMLElement) box.focus();
}
