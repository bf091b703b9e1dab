import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Inserts text at the last cursor position of a field, and moves the cursor after it. */
export function useInsertAtCursor(
  field: RefObject<HTMLTextAreaElement | null>,
  onChange: (text: string) => void,
): (text: string) => void {
  const cursor = useRef<number | null>(null);
  // The field has its new text only after React has rendered it.
  useLayoutEffect(() => {
    if (cursor.current === null) return;
    field.current?.focus();
    field.current?.setSelectionRange(cursor.current, cursor.current);
    cursor.current = null;
  });
  return (text) => {
    const node = field.current;
    if (!node) return;
    const { value, selectionStart, selectionEnd } = node;
    onChange(value.slice(0, selectionStart) + text + value.slice(selectionEnd));
    cursor.current = selectionStart + text.length;
  };
}
