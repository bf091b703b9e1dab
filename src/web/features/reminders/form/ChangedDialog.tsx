import { useState } from 'react';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { TextLink } from '#web/ui/links.tsx';

/** Asks whether a change goes over that of somebody else, who has saved the reminder since it was opened. `ask` resolves to whether it does. */
export function useChangedQuestion(reminderId: string | undefined) {
  const [answer, setAnswer] = useState<((isConfirmed: boolean) => void) | null>(null);
  const ask = () => new Promise<boolean>((resolve) => setAnswer(() => resolve));
  const close = (isConfirmed: boolean) => {
    answer?.(isConfirmed);
    setAnswer(null);
  };
  const dialog = (
    <ConfirmDialog
      title="This reminder has changed"
      confirmLabel="Save mine"
      cancelLabel="Keep editing"
      opened={answer !== null}
      onConfirm={() => close(true)}
      onClose={() => close(false)}
    >
      <p>Somebody has changed this reminder since you opened it. If you save yours, their changes are lost.</p>
      {reminderId !== undefined && (
        <TextLink to="/reminders/$id" params={{ id: reminderId }} target="_blank">
          See it as it is now
        </TextLink>
      )}
    </ConfirmDialog>
  );
  return { ask, dialog };
}
