import './form-styles.ts';
import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import type { Channel } from '#contract/channels.ts';
import { useChannelTypes } from '#web/api/channels.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { ChannelForm } from './ChannelForm.tsx';
import { draftOf, newDraft } from './draft.ts';
import { ChannelFormProvider, useChannelForm } from './form-context.ts';

type ChannelDialogProps = {
  /** What a new channel begins as. */
  type: Channel['type'];
  /** The one to edit, null to add one. */
  channel: Channel | null;
  opened: boolean;
  onClose: () => void;
};

/** Writes a new channel, or edits one; asks before what was typed is thrown away. Loaded apart from the list. */
export default function ChannelDialog({ type, channel, opened, onClose }: ChannelDialogProps) {
  const types = useChannelTypes();
  // Taken once: what arrives later from the server must not overwrite what is being typed.
  const form = useChannelForm({ initialValues: channel ? draftOf(channel) : newDraft(type) });
  const [isAsking, setIsAsking] = useState(false);
  const leave = () => {
    // Escape is heard by both dialogs, and is for the one in front.
    if (isAsking) return;
    if (!form.isDirty()) return onClose();
    // Later than the key press, which the dialog that then opens would take for its own.
    setTimeout(() => setIsAsking(true));
  };
  return (
    <ChannelFormProvider form={form}>
      <Dialog title={channel ? 'Edit Channel' : 'Add Channel'} opened={opened} onClose={leave} width={640}>
        {types.data ? (
          <ChannelForm frame={{ types: types.data, channel }} onCancel={leave} onDone={onClose} />
        ) : types.error ? (
          <ErrorState
            title="The form could not be loaded"
            error={types.error}
            onRetry={() => void types.refetch()}
            isRetrying={types.isFetching}
          />
        ) : (
          <Skeleton height={320} aria-busy role="status" aria-label="Loading the form" />
        )}
      </Dialog>
      <ConfirmDialog
        title="Close without saving?"
        confirmLabel="Close without saving"
        opened={isAsking && opened}
        onClose={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false);
          onClose();
        }}
      >
        What you have filled in here is not saved yet.
      </ConfirmDialog>
    </ChannelFormProvider>
  );
}
