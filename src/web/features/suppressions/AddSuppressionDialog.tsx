import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { suppressibleChannels, SuppressionInput } from '#contract/suppressions.ts';
import { ApiError } from '#web/api/client.ts';
import { useAddSuppression } from '#web/api/suppressions.ts';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import classes from './suppressions.module.css';

const channels = suppressibleChannels.map((value) => ({ value, label: channelLooks[value].name }));

const hints = {
  email: 'anna@example.com',
  sms: '+49 151 23456789',
  whatsapp: '+49 151 23456789',
  webhook: 'https://example.com/hook',
} as const;

/** Adds a suppression by hand. */
export function AddSuppressionDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [channel, setChannel] = useState<(typeof suppressibleChannels)[number]>('email');
  const [recipient, setRecipient] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { mutateAsync, isPending } = useAddSuppression();
  const submit = useSubmit(async () => {
    const parsed = SuppressionInput.safeParse({ channel, recipient });
    if (!parsed.success) return setProblem(parsed.error.issues[0]?.message ?? null);
    try {
      const added = await mutateAsync(parsed.data);
      notifySuccess('Added to the list', `${added.recipient} gets no more messages by ${channelLooks[channel].name}.`);
      onClose();
    } catch (error) {
      const wrong = error instanceof ApiError ? error.fields[0] : undefined;
      if (wrong !== undefined) return setProblem(wrong.message);
      notifyFailure('Error adding to the list', error);
    }
  });
  return (
    <Dialog title="Add to the suppression list" opened={opened} onClose={onClose}>
      <form className={classes.fields} noValidate onSubmit={submit}>
        <p>From now on, this recipient gets no messages on this channel, even if a reminder names them.</p>
        <Select
          label="Channel"
          data={channels}
          allowDeselect={false}
          value={channel}
          onChange={(value) => {
            setChannel(suppressibleChannels.find((known) => known === value) ?? channel);
            setProblem(null);
          }}
        />
        <TextInput
          label="Who"
          data-autofocus
          placeholder={hints[channel]}
          value={recipient}
          error={problem}
          onChange={({ currentTarget }) => {
            setRecipient(currentTarget.value);
            setProblem(null);
          }}
        />
        <FormButtons onCancel={onClose} isBusy={isPending}>
          Add to the list
        </FormButtons>
      </form>
    </Dialog>
  );
}
