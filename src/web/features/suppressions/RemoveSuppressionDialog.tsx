import { recipientText } from '#domain/erased-recipient.ts';
import type { Suppression, SuppressionReason } from '#contract/suppressions.ts';
import { useRemoveSuppression } from '#web/api/suppressions.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import prose from '#web/ui/prose.module.css';
import { messagesOf, reasonLooks } from './suppression-words.ts';

type RemoveSuppressionDialogProps = { suppression: Suppression; opened: boolean; onClose: () => void };

/** Asks for confirmation before a suppression is removed, and explains the effect. */
export function RemoveSuppressionDialog({ suppression, opened, onClose }: RemoveSuppressionDialogProps) {
  const { channel, reason } = suppression;
  const recipient = recipientText(suppression.recipient);
  const what = messagesOf(suppression);
  const { mutateAsync } = useRemoveSuppression();
  return (
    <ActDialog
      title="Remove from the suppression list?"
      confirmLabel="Remove from the list"
      opened={opened}
      onClose={onClose}
      run={() => mutateAsync(suppression.id)}
      done={['Removed from the list', `${recipient} can get ${what} by ${channelLooks[channel].name} again.`]}
      failed="Error removing from the list"
      removesOpener
    >
      <p className={prose.plain}>
        <strong>{recipient}</strong> will get {what} by {channelLooks[channel].name} again, from the next one on.{' '}
        {reasonLooks[reason].sentence} {warnings[reason]}
      </p>
    </ActDialog>
  );
}

const withdrawn =
  'Continue only if they have asked for it: writing to people who have opted out is against the law in many countries.';
const warnings: Record<SuppressionReason, string> = {
  unsubscribed: withdrawn,
  paused: 'Continue only if they have asked for it. Skipped messages are not sent later.',
  stopped: `${withdrawn} Their provider may refuse the messages until they answer START.`,
  complained: withdrawn,
  bounced: 'Continue only if the address works again: repeated bounces harm the delivery of all your mail.',
  erased: 'The person asked to be erased. Continue only if they have asked for messages again.',
  manual: 'The audit log records who did this. Skipped messages are not sent later.',
};
