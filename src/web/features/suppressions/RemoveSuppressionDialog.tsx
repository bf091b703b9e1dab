import type { Suppression, SuppressionReason } from '#contract/suppressions.ts';
import { useRemoveSuppression } from '#web/api/suppressions.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { focusContent } from '#web/ui/focus-content.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { reasonLooks } from './suppression-words.ts';
import classes from './suppressions.module.css';

type RemoveSuppressionDialogProps = { suppression: Suppression; opened: boolean; onClose: () => void };

/** Asks for confirmation before a suppression is removed, and explains the effect. */
export function RemoveSuppressionDialog({ suppression, opened, onClose }: RemoveSuppressionDialogProps) {
  const { recipient, channel, reason } = suppression;
  const { mutateAsync, isPending } = useRemoveSuppression();
  const confirm = async () => {
    try {
      await mutateAsync(suppression.id);
      notifySuccess('Removed from the list', `${recipient} can get messages by ${channelLooks[channel].name} again.`);
      onClose();
      // The button that opened the dialog is removed with its row.
      focusContent();
    } catch (error) {
      notifyFailure('Error removing from the list', error);
    }
  };
  return (
    <ConfirmDialog
      title="Remove from the suppression list?"
      confirmLabel="Remove from the list"
      opened={opened}
      onClose={onClose}
      onConfirm={() => void confirm()}
      isBusy={isPending}
    >
      <p className={classes.means}>
        <strong>{recipient}</strong> will get messages by {channelLooks[channel].name} again, from the next one on.{' '}
        {reasonLooks[reason].sentence} {warnings[reason]}
      </p>
    </ConfirmDialog>
  );
}

const withdrawn =
  'Continue only if they have asked for it: writing to people who have opted out is against the law in many countries.';
const warnings: Record<SuppressionReason, string> = {
  unsubscribed: withdrawn,
  stopped: `${withdrawn} Their provider may refuse the messages until they answer START.`,
  complained: withdrawn,
  bounced: 'Continue only if the address works again: repeated bounces harm the delivery of all your mail.',
  manual: 'The audit log records who did this. Skipped messages are not sent later.',
};
