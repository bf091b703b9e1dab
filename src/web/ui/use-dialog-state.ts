import { useState } from 'react';

/**
 * `asked` is the subject of the dialog: it stays while the dialog closes, so that the content does not disappear first.
 */
export type DialogState<Asked> = { asked: Asked | null; isOpen: boolean; openCount: number };

/** The state of a dialog. Each opening starts with fresh state, with `openCount` as its React key. */
export function useDialogState<Asked = true>() {
  const [state, setState] = useState<DialogState<Asked>>({ asked: null, isOpen: false, openCount: 0 });
  const close = (openCount: number) =>
    // A late response must not close a dialog that was opened since.
    setState((now) => (now.openCount === openCount ? { ...now, isOpen: false } : now));
  return {
    state,
    /** What the dialog takes. */
    dialog: { opened: state.isOpen, onClose: () => close(state.openCount) },
    open: (asked: Asked) => setState(({ openCount }) => ({ asked, isOpen: true, openCount: openCount + 1 })),
    close,
  };
}
