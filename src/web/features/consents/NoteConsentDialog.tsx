import { Select, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { consentLimits, consentRoutes, type NoteMethod, noteMethods } from '#contract/consents.ts';
import type { ContactDetails } from '#contract/contact-details.ts';
import { ApiError } from '#web/api/client.ts';
import { useRecordConsent } from '#web/api/consents.ts';
import { useTopics } from '#web/api/topics.ts';
import { displayNameOf } from '#web/features/contacts/contact-words.ts';
import type { Covers } from '#web/features/suppressions/CoversField.tsx';
import { allOptional } from '#web/features/suppressions/suppression-words.ts';
import { act } from '#web/ui/act.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { DialogForm } from '#web/ui/DialogForm.tsx';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { noteMethodWords } from './consent-words.ts';

type NoteConsentDialogProps = { contact: ContactDetails; opened: boolean; onClose: () => void };
type Channel = 'email' | 'sms' | 'whatsapp';
type Draft = { kind: 'given' | 'withdrawn'; channel: Channel; covers: string | null; how: NoteMethod; text: string };

/** Notes what a contact told a member about being written to. */
export default function NoteConsentDialog({ contact, opened, onClose }: NoteConsentDialogProps) {
  const form = useForm<Draft>({
    initialValues: {
      kind: 'given',
      channel: contact.phone === null ? 'email' : 'sms',
      // Nothing is chosen for them: all messages would often be more than they said.
      covers: null,
      how: 'phone',
      text: '',
    },
  });
  return (
    <FormDialog
      title={`What ${displayNameOf(contact)} said`}
      opened={opened}
      width={520}
      isDirty={form.isDirty}
      onClose={onClose}
    >
      {(leave) => <Form form={form} contact={contact} onCancel={leave} onDone={onClose} />}
    </FormDialog>
  );
}

const kinds = [
  { value: 'given', label: 'They agree to messages' },
  { value: 'withdrawn', label: 'They want no more messages' },
];
const hows = noteMethods.map((value) => ({
  value,
  label: noteMethodWords[value].replace(/^./, (first) => first.toUpperCase()),
}));

type FormProps = {
  form: ReturnType<typeof useForm<Draft>>;
  contact: ContactDetails;
  onCancel: () => void;
  onDone: () => void;
};

function Form({ form, contact, onCancel, onDone }: FormProps) {
  const { mutateAsync, isPending } = useRecordConsent();
  const { data: topics = [] } = useTopics();
  const { kind, channel } = form.values;
  const isGiven = kind === 'given';
  const channels: Channel[] = [
    ...(contact.phone === null ? [] : (['sms', 'whatsapp'] as const)),
    ...(contact.email === null ? [] : (['email'] as const)),
  ];
  // Nobody can leave a required topic alone.
  const named = topics.filter(({ kind: of, archived_at: at }) => at === null && (isGiven || of === 'optional'));
  const abouts = [
    { value: 'everything', label: isGiven ? 'All messages' : 'Everything' },
    { value: 'optional', label: allOptional },
    ...named.map(({ id, name }) => ({ value: id, label: name })),
  ];
  // A topic that can be agreed to and not be left is no choice any more once the other is said.
  const covers = abouts.find(({ value }) => value === form.values.covers)?.value ?? null;
  const isListed = contact.suppressions.some((entry) => entry.channel === channel);
  const submit = async () => {
    if (covers === null) return form.setErrors({ covers: 'Choose what they said it about' });
    const body = { consents: [inputOf(form.getValues(), { contact, covers })] };
    const parsed = consentRoutes.recordConsents.body.safeParse(body);
    if (!parsed.success) return form.setErrors(ownErrors(fieldErrors(parsed.error.issues)));
    const [consent] = body.consents;
    if (consent === undefined) return;
    const isDone = await act(mutateAsync(consent), {
      failed: 'Error noting this',
      done: isGiven
        ? ['Consent noted', `With the text, your name and the time.`]
        : ['Noted', `${displayNameOf(contact)} is on the suppression list.`],
      refused: (error) => {
        if (!(error instanceof ApiError) || error.fields.length === 0) return false;
        form.setErrors(ownErrors(fieldErrors(error.fields)));
        return true;
      },
    });
    if (isDone) onDone();
  };
  return (
    <DialogForm submitLabel="Note it" isSaving={isPending} onSubmit={submit} onCancel={onCancel}>
      <Stack gap={16} mb={24}>
        <Select label="What they said" data={kinds} allowDeselect={false} {...form.getInputProps('kind')} />
        <Select
          label="Channel"
          data={channels.map((value) => ({ value, label: channelLooks[value].name }))}
          allowDeselect={false}
          {...form.getInputProps('channel')}
          description={channel === 'email' ? contact.email : contact.phone}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <Select
          label="About"
          placeholder="Choose"
          data={abouts}
          allowDeselect={false}
          {...form.getInputProps('covers')}
          value={covers}
        />
        <Select label="How they told you" data={hows} allowDeselect={false} {...form.getInputProps('how')} />
        <Textarea
          label={isGiven ? 'What they agreed to' : 'Their words (optional)'}
          description={
            isGiven
              ? 'Word for word, as you read it to them or as they signed it. It is kept as proof and cannot be changed later.'
              : 'Kept as they are; nobody can change them later.'
          }
          autosize
          minRows={3}
          maxRows={10}
          maxLength={consentLimits.text}
          {...form.getInputProps('text')}
        />
        {isGiven && isListed && (
          <Text size="sm" c="dimmed">
            They are on the suppression list, which goes before a consent: an admin takes them off it.
          </Text>
        )}
      </Stack>
    </DialogForm>
  );
}

function inputOf(
  { kind, channel, how, text }: Draft,
  { contact: { email, phone }, covers }: { contact: ContactDetails; covers: string },
) {
  return {
    kind,
    channel,
    recipient: (channel === 'email' ? email : phone) ?? '',
    how,
    ...(text.trim() !== '' && { text }),
    ...coversOf(covers),
  };
}

const coversOf = (covers: string): Covers =>
  covers === 'everything' || covers === 'optional' ? { covers } : { covers: 'topic', topic_id: covers };

/** The errors of the only consent, by the names of this form's fields. */
const ownErrors = (errors: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).map(([path, message]) => {
      const field = path.replace('consents.0.', '');
      return [field === 'topic_id' ? 'covers' : field === 'recipient' ? 'channel' : field, message];
    }),
  );
