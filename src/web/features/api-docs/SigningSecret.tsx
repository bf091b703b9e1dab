import { Button } from '@mantine/core';
import { signingOverlapHours } from '#contract/signing-secret.ts';
import { useSigningSecret } from '#web/api/signing-secret.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { Copyable } from '#web/ui/Copyable.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { RecordSection } from '#web/ui/Record.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import classes from './api-docs.module.css';

/** The secret with which receivers check the workspace's webhooks, for its owners and admins. */
export function SigningSecret({ workspaceId }: { workspaceId: string }) {
  const { mutateAsync, data, isPending } = useSigningSecret(workspaceId);
  const { state, open, close } = useDialogState<true>();
  const hide = () => close(state.openCount);
  const reveal = () =>
    mutateAsync('reveal').catch((error: unknown) => notifyFailure('Error loading the signing secret', error));
  const rotate = async () => {
    try {
      await mutateAsync('rotate');
      notifySuccess('Signing secret replaced', 'For a day both secrets sign.');
      hide();
    } catch (error) {
      notifyFailure('Error replacing the signing secret', error);
    }
  };
  return (
    <RecordSection
      title="Signing secret"
      aside={
        data === undefined ? (
          <Button size="sm" variant="default" loading={isPending} onClick={() => void reveal()}>
            Show secret
          </Button>
        ) : (
          <Button size="sm" variant="default" onClick={() => open(true)}>
            Replace secret
          </Button>
        )
      }
    >
      <div className={classes.secretText}>
        <p>
          Webhooks are signed as Standard Webhooks describes (<code>webhook-signature</code>): with the secret of their
          channel, or else with this one. Receivers that check it know that a call is yours.
        </p>
        {data !== undefined && (
          <>
            <Copyable text={data.secret} label="Copy the signing secret" />
            <p className={classes.quiet}>
              In use since <InstantText at={data.changed_at} />.
              {data.previous_ends_at !== null && (
                <>
                  {' '}
                  The one before signs too, until <InstantText at={data.previous_ends_at} />.
                </>
              )}
            </p>
          </>
        )}
      </div>
      <ConfirmDialog
        title="Replace the signing secret?"
        confirmLabel="Replace secret"
        opened={state.isOpen}
        onClose={hide}
        onConfirm={() => void rotate()}
        isBusy={isPending}
      >
        For {signingOverlapHours} hours every webhook has two signatures, one of each secret: enter the new one at your
        receivers until then. {data?.previous_ends_at != null && 'The secret before this one stops signing at once.'}
      </ConfirmDialog>
    </RecordSection>
  );
}
