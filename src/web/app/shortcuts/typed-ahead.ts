import { useEffect, useRef, useState } from 'react';

/** Marks the box of the palette. */
export const paletteMark = 'data-palette';

/**
 * The text of the palette. From the moment in which the palette is asked for until its box has the focus, no key reaches the screen
 * behind: what is typed or pasted meanwhile becomes the text, in its order, however long the palette takes to load.
 */
export function useTypedAhead({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [query, setQuery] = useState('');
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    // Reset when it opens, not when it closes: the results stay visible while it closes.
    if (isOpen) setQuery('');
  }
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    let isThere = false;
    const hasArrived = () => {
      isThere ||= document.activeElement?.hasAttribute(paletteMark) === true;
      return isThere;
    };
    const onKey = (event: KeyboardEvent) => {
      if (hasArrived() || isCommand(event)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const { key } = event;
      if (key === 'Escape') close.current();
      else if (key === 'Backspace') setQuery((typed) => typed.replace(/.$/su, ''));
      else if (/^.$/su.test(key)) setQuery((typed) => typed + key);
    };
    const onPaste = (event: ClipboardEvent) => {
      if (hasArrived()) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const text = event.clipboardData?.getData('text/plain') ?? '';
      setQuery((typed) => typed + text.replaceAll(/\s+/g, ' '));
    };
    document.addEventListener('keydown', onKey, { capture: true });
    document.addEventListener('paste', onPaste, { capture: true });
    return () => {
      document.removeEventListener('keydown', onKey, { capture: true });
      document.removeEventListener('paste', onPaste, { capture: true });
    };
  }, [isOpen]);
  return { query, setQuery };
}

/** Whether a key is a command of the browser, pastes, or closes the palette. Characters typed with AltGr are text. */
const isCommand = (event: KeyboardEvent) =>
  (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');
