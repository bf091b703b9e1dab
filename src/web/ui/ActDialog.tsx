import { type ComponentProps, useState } from 'react';
import { type ActWords, act } from './act.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { focusContent } from './focus-content.ts';

type ActDialogProps<Result> = Omit<ComponentProps<typeof ConfirmDialog>, 'isBusy' | 'onConfirm'> &
  Pick<ActWords<Result>, 'failed' | 'done'> & {
    run: () => Promise<Result>;
    /** Whether what it says still loads. */
    isLoading?: boolean;
    /** Whether the button that opened it goes with what it removes. */
    removesOpener?: boolean;
  };

/** Asks before it acts, then says what came of it; it stays open where that failed. */
export function ActDialog<Result>({ run, failed, done, isLoading, removesOpener, ...dialog }: ActDialogProps<Result>) {
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    const isDone = await act(run(), { failed, done });
    setBusy(false);
    if (!isDone) return;
    dialog.onClose();
    if (removesOpener === true) focusContent();
  };
  return <ConfirmDialog {...dialog} isBusy={isBusy || isLoading === true} onConfirm={() => void confirm()} />;
}
