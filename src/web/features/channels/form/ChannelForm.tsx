import { useState } from 'react';
import { ChannelInput } from '#contract/channels.ts';
import { useSaveChannel } from '#web/api/channels.ts';
import { ApiError } from '#web/api/client.ts';
import { DialogForm } from '#web/ui/DialogForm.tsx';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { focusContent } from '#web/ui/focus-content.ts';
import { messageOf } from '#web/ui/message-of.ts';
import { notifyError, notifySuccess } from '#web/ui/notify.tsx';
import { ChannelTabs } from './ChannelTabs.tsx';
import { type ChannelDraft, changesOf, fieldsOf, type Frame, inputOf, missingFrom } from './draft.ts';
import { useChannelFormContext } from './form-context.ts';
import { incomplete } from './incomplete.ts';

type ChannelFormProps = {
  frame: Frame;
  onCancel: () => void;
  onDone: () => void;
};

/** Both tabs and the buttons; the input stays when saving fails. */
export function ChannelForm({ frame, onCancel, onDone }: ChannelFormProps) {
  const { channel } = frame;
  const form = useChannelFormContext();
  const { mutateAsync, isPending } = useSaveChannel();
  const [refusals, setRefusals] = useState(0);
  const refuse = (errors: Record<string, string>) => {
    form.setErrors(errors);
    setRefusals((count) => count + 1);
  };

  const submit = async () => {
    const draft = form.getValues();
    const errors = problemsOf(draft, frame);
    if (Object.keys(errors).length > 0) return refuse(errors);
    form.clearErrors();
    // The result is handled here and not in a mutation callback: the dialog may be closed before the response, and the
    // toast is still shown.
    try {
      const { name } = await mutateAsync(
        channel
          ? { kind: 'update', id: channel.id, changes: changesOf(draft, { ...frame, channel }) }
          : { kind: 'create', body: inputOf(draft, frame) },
      );
      if (channel) notifySuccess('Channel updated', `${name} has been saved.`);
      else notifySuccess('Channel created', `${name} is ready. Send a test to check that it works.`);
      onDone();
      // The first channel removes the tile that opened the form. Any other button gets the focus back after this.
      if (!channel) focusContent();
    } catch (error) {
      if (!channel && error instanceof ApiError && error.status === 403)
        return notifyError('Permission denied', 'Only workspace admins can create channels');
      const text = messageOf(error, 'Failed to save channel. Please try again.');
      notifyError('Error saving channel', withLabels(text, { draft, frame }));
      if (error instanceof ApiError && error.fields.length > 0) refuse(fieldErrors(error.fields));
    }
  };

  const submitLabel = submitWord({ isNew: !channel, isSaving: isPending });
  return (
    <DialogForm submitLabel={submitLabel} isSaving={isPending} onSubmit={submit} onCancel={onCancel}>
      <ChannelTabs frame={frame} refusals={refusals} />
    </DialogForm>
  );
}

/** Client-side validation errors, by field path. */
function problemsOf(draft: ChannelDraft, frame: Frame): Record<string, string> {
  const parsed = ChannelInput.safeParse(inputOf(draft, frame));
  const missing = missingFrom(draft, frame).map(({ name }) => [`configuration.${name}`, incomplete]);
  return { ...fieldErrors(parsed.error?.issues ?? []), ...Object.fromEntries(missing) };
}

/** Replaces the server's field paths with the labels of the form. */
const withLabels = (text: string, { draft, frame }: { draft: ChannelDraft; frame: Frame }) =>
  fieldsOf(draft, frame).reduce((words, { name, label }) => words.replace(`configuration.${name} `, `${label} `), text);

function submitWord({ isNew, isSaving }: { isNew: boolean; isSaving: boolean }): string {
  if (isNew) return isSaving ? 'Creating...' : 'Create Channel';
  return isSaving ? 'Updating...' : 'Update Channel';
}
