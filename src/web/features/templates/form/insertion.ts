import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react';

type Field = { field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>; onChange: (text: string) => void };

/**
 * Inserts text at the last cursor position, in the field that last had the focus (by default the first), and moves the
 * cursor after it.
 */
export function useInsertion(fields: readonly Field[]) {
  const last = useRef<EventTarget>(null);
  const cursor = useRef<{ node: HTMLInputElement | HTMLTextAreaElement; at: number }>(null);
  // The field has its new text only after React has rendered it.
  useLayoutEffect(() => {
    if (cursor.current === null) return;
    const { node, at } = cursor.current;
    node.focus();
    node.setSelectionRange(at, at);
    cursor.current = null;
  });
  return {
    onFocus: ({ currentTarget }: FocusEvent) => {
      last.current = currentTarget;
    },
    insert: (text: string) => {
      const chosen = fields.find(({ field }) => field.current !== null && field.current === last.current) ?? fields[0];
      const node = chosen?.field.current;
      if (!chosen || !node) return;
      const { value } = node;
      const start = node.selectionStart ?? value.length;
      const end = node.selectionEnd ?? start;
      chosen.onChange(value.slice(0, start) + text + value.slice(end));
      cursor.current = { node, at: start + text.length };
    },
  };
}
