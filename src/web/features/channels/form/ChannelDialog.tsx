import './form-styles.ts';
import { Skeleton } from '@mantine/core';
import type { Channel } from '#contract/channels.ts';
import { useChannelTypes } from '#web/api/channels.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { ChannelForm } from './ChannelForm.tsx';
import { draftOf, newDraft } from './draft.ts';
import { ChannelFormProvider, useChannelForm } from './form-context.ts';

type ChannelDialogProps = {
  /** The type of a new channel. */
  type: Channel['type'];
  /** The channel to edit, or null for a new one. */
  channel: Channel | null;
  opened: boolean;
  onClose: () => void;
};

/** Creates or edits a channel; asks before discarding changes. Loaded separately from the list. */
export default function ChannelDialog({ type, channel, opened, onClose }: ChannelDialogProps) {
  const types = useChannelTypes();
  // The initial values are read once: later server data must not overwrite the user's input.
  const form = useChannelForm({ initialValues: channel ? draftOf(channel) : newDraft(type) });
  return (
    <ChannelFormProvider form={form}>
      <FormDialog
        title={channel ? 'Edit Channel' : 'Add Channel'}
        opened={opened}
        width={640}
        isDirty={form.isDirty}
        onClose={onClose}
      >
        {(leave) =>
          types.data ? (
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
          )
        }
      </FormDialog>
    </ChannelFormProvider>
  );
}
