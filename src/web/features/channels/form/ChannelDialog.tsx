// Styles of components that only this form uses; they load with the form, not with the shell.
import '@mantine/core/styles/PasswordInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import '#web/ui/switch.css';
import { Select, Skeleton, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Channel, ChannelInput, configurableTypes, rateLimits } from '#contract/channels.ts';
import { useChannelTypes, useSaveChannel } from '#web/api/channels.ts';
import { ApiError } from '#web/api/client.ts';
import { choicesOf } from '#web/ui/channel-choices.ts';
import { DialogForm } from '#web/ui/DialogForm.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { focusContent } from '#web/ui/focus-content.ts';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { FormTabs } from '#web/ui/FormTabs.tsx';
import { messageOf } from '#web/ui/message-of.ts';
import { notifyError, notifySuccess } from '#web/ui/notify.tsx';
import { NumberField } from '#web/ui/NumberField.tsx';
import { ConfigurationTab } from './ConfigurationTab.tsx';
import {
  changesOf,
  type ChannelDraft,
  draftOf,
  fieldsOf,
  type Frame,
  inputOf,
  missingFrom,
  newDraft,
  withType,
} from './draft.ts';
import { ChannelFormProvider, useChannelForm, useChannelFormContext } from './form-context.ts';
import { incomplete } from './incomplete.ts';

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
            <ErrorState title="Error loading the form" of={types} />
          ) : (
            <Skeleton height={320} aria-busy role="status" aria-label="Loading the form" />
          )
        }
      </FormDialog>
    </ChannelFormProvider>
  );
}

type ChannelFormProps = {
  frame: Frame;
  onCancel: () => void;
  onDone: () => void;
};

/** Both tabs and the buttons; the input stays when saving fails. */
function ChannelForm({ frame, onCancel, onDone }: ChannelFormProps) {
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
        return void notifyError('Permission denied', 'Only workspace admins can create channels');
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

function ChannelTabs({ frame, refusals }: { frame: Frame; refusals: number }) {
  const { errors } = useChannelFormContext();
  return (
    <FormTabs
      label="Parts of the channel"
      tabs={[
        { id: 'basic', label: 'Basic Settings', panel: <BasicTab frame={frame} /> },
        { id: 'configuration', label: 'Configuration', panel: <ConfigurationTab frame={frame} /> },
      ]}
      errors={errors}
      tabOf={(path) => (path.startsWith('configuration') ? 'configuration' : 'basic')}
      refusals={refusals}
    />
  );
}

const typeChoices = choicesOf(configurableTypes);

function BasicTab({ frame: { channel } }: { frame: Frame }) {
  const form = useChannelFormContext();
  const choose = (value: string | null) => {
    const type = configurableTypes.find((known) => known === value);
    if (type) form.setValues(withType(form.getValues(), type));
  };
  return (
    <Stack gap={16}>
      <TextInput
        label="Name"
        placeholder="Front desk"
        required
        maxLength={100}
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <Select
        label="Type"
        description={channel ? 'Changing the type clears the configuration.' : undefined}
        required
        allowDeselect={false}
        data={typeChoices}
        value={form.values.type}
        onChange={choose}
        error={form.errors.type}
      />
      <NumberField
        label="Messages per second"
        description="Messages above the limit wait."
        placeholder="No limit"
        min={rateLimits.least}
        max={rateLimits.most}
        {...form.getInputProps('rate_limit_per_second')}
      />
      <Switch
        label="Active"
        // Without it, the accessible name would include the description.
        aria-label="Active"
        description="Only active channels send reminders."
        {...form.getInputProps('is_active', { type: 'checkbox' })}
      />
    </Stack>
  );
}
