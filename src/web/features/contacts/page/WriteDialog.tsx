import { Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { ContactDetails } from '#contract/contact-details.ts';
import { type ChannelType } from '#contract/channel-types.ts';
import { limits, ReminderInput } from '#contract/reminders.ts';
import type { Topic } from '#contract/topics.ts';
import { dayInWords } from '#domain/day-in-words.ts';
import { ApiError } from '#web/api/client.ts';
import { readReach } from '#web/api/reach.ts';
import { useSaveReminder } from '#web/api/reminders.ts';
import { useTopics } from '#web/api/topics.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { DialogForm } from '#web/ui/DialogForm.tsx';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { notifyError, notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { displayNameOf } from '#web/features/contacts/contact-words.ts';
import { endAhead } from '#web/features/exclusions/pause-end.ts';
import { factText, reachesNobody } from '#web/features/reach/reach-words.ts';
import { keepsBack, notSentText } from '#web/features/suppressions/suppression-words.ts';
import { type TopicChoice, topicOf, useTopicOf } from '#web/features/topics/default-topic.ts';
import { TopicField } from '#web/features/topics/TopicField.tsx';

type WriteDialogProps = { contact: ContactDetails; opened: boolean; onClose: () => void };
type Writable = Exclude<ChannelType, 'webhook' | 'slack' | 'push'>;
type Draft = { channel: Writable; topic: TopicChoice; subject: string; message: string };

/** Writes to one contact now: a reminder that is sent once. */
export default function WriteDialog({ contact, opened, onClose }: WriteDialogProps) {
  const { data: topics } = useTopics();
  const topic = topics?.find(({ id }) => id === topicOf(undefined, topics));
  const fitting = channelsFor(contact, topic);
  const form = useForm<Draft>({
    initialValues: { channel: fitting[0] ?? 'email', topic: undefined, subject: '', message: '' },
  });
  return (
    <FormDialog
      title={`Write to ${displayNameOf(contact)}`}
      opened={opened}
      width={560}
      isDirty={form.isDirty}
      onClose={onClose}
    >
      {(leave) => <Form form={form} contact={contact} fitting={fitting} onCancel={leave} onDone={onClose} />}
    </FormDialog>
  );
}

/** The channels for which the contact has an address: first those on which it is not suppressed, the preferred one before others. */
function channelsFor(
  { email, phone, preferred_channel: preferred, suppressions }: ContactDetails,
  topic: Topic | undefined,
): Writable[] {
  const fitting: Writable[] = [
    ...(email === null ? [] : (['email'] as const)),
    ...(phone === null ? [] : (['sms', 'whatsapp'] as const)),
  ];
  const isFree = (channel: Writable) =>
    !suppressions.some((entry) => entry.channel === channel && keepsBack(entry, topic));
  const rank = (channel: Writable) => (isFree(channel) ? (channel === preferred ? 0 : 1) : 2);
  return fitting.toSorted((one, other) => rank(one) - rank(other));
}

type FormProps = {
  form: ReturnType<typeof useForm<Draft>>;
  contact: ContactDetails;
  fitting: readonly Writable[];
  onCancel: () => void;
  onDone: () => void;
};

function Form({ form, contact, fitting, onCancel, onDone }: FormProps) {
  const { mutateAsync, isPending } = useSaveReminder();
  const [isChecking, setChecking] = useState(false);
  const { channel } = form.values;
  const isMail = channel === 'email';
  const paused = endAhead(contact);
  const topicId = useTopicOf(form.values.topic);
  const topic = useTopics().data?.find(({ id }) => id === topicId);
  const entry = contact.suppressions.find((one) => one.channel === channel && keepsBack(one, topic));
  const suppressed = entry === undefined ? null : notSentText(entry);
  const submit = async () => {
    if (suppressed !== null) return;
    const parsed = ReminderInput.safeParse(reminderOf({ ...form.getValues(), topic: topicId }, contact));
    if (!parsed.success) return form.setErrors(ownErrors(fieldErrors(parsed.error.issues)));
    setChecking(true);
    const obstacle = await obstacleOf(parsed.data);
    setChecking(false);
    if (obstacle !== null) return form.setFieldError('message', obstacle);
    try {
      const { warnings } = await mutateAsync({ body: parsed.data });
      const [warning] = warnings;
      if (warning === undefined) notifySuccess('On its way', `The message to ${displayNameOf(contact)} is being sent.`);
      else notifyError('The message may not arrive', warning);
      onDone();
    } catch (error) {
      notifyFailure('Error sending the message', error);
      if (error instanceof ApiError && error.fields.length > 0) form.setErrors(ownErrors(fieldErrors(error.fields)));
    }
  };
  return (
    <DialogForm submitLabel="Send now" isSaving={isPending || isChecking} onSubmit={submit} onCancel={onCancel}>
      <Stack gap={16} mb={24}>
        <Select
          label="Channel"
          data={fitting.map((value) => ({ value, label: channelLooks[value].name }))}
          description={channel === contact.preferred_channel ? 'Their preferred channel' : undefined}
          allowDeselect={false}
          {...form.getInputProps('channel')}
          error={suppressed}
        />
        <TopicField value={topicId} error={form.errors.topic} onChange={(id) => form.setFieldValue('topic', id)} />
        {isMail && (
          <TextInput
            label="Subject"
            data-autofocus
            maxLength={limits.subject}
            autoComplete="off"
            {...form.getInputProps('subject')}
          />
        )}
        {paused !== null && (
          <Text size="sm" c="dimmed">
            Reminders to them are paused until {dayInWords(paused)}. This message is sent all the same.
          </Text>
        )}
        <Textarea
          label="Message"
          description="Values of the contact can be used, such as {{recipient_name}}."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data-autofocus={isMail ? undefined : true}
          autosize
          minRows={5}
          maxRows={14}
          {...form.getInputProps('message')}
        />
      </Stack>
    </DialogForm>
  );
}

/** A one-time reminder without a start is sent at once. A message to a phone has no subject of its own. */
const reminderOf = ({ channel, topic, subject, message }: Draft, contact: ContactDetails) => {
  const title = `To ${displayNameOf(contact)}`;
  const named = channel === 'email' && subject.trim() !== '' ? `${title}: ${subject.trim()}` : title;
  return {
    name: Array.from(named).slice(0, limits.name).join(''),
    schedule_config: { type: 'scheduled', scheduleType: 'once', timezone: viewerZone() },
    content: {
      subject: channel === 'email' ? subject : title,
      message,
      format: 'markdown',
      recipients: [],
      ...(typeof topic === 'string' && { topic_id: topic }),
    },
    metadata: { channels: [channel], audience: { contacts: [contact.id] }, one_off: true },
  };
};

/** Why the contact would not get it, such as a value that the message names and they lack; null where they would. */
async function obstacleOf({ content, metadata, schedule_config: schedule }: ReminderInput): Promise<string | null> {
  const { subject, message, values, recipients, topic_id } = content;
  const { channels, channel_mode, pinned_channels, audience, one_off } = metadata;
  const draft = {
    content: { subject, message, values, recipients, topic_id },
    metadata: { channels, channel_mode, pinned_channels, audience, one_off },
    is_event: false,
    timezone: schedule.timezone,
  };
  // A check that fails does not keep the message back: what becomes of it is listed on their page.
  const reach = await readReach({ of: { draft } }).catch(() => null);
  if (reach === null || !reachesNobody(reach)) return null;
  const [, ...others] = reach.counts;
  return reach.refusal ?? (others.map(factText).join(' · ') || 'They would not get this message');
}

/** Errors by the fields of this form; those of other fields are shown at the message. */
function ownErrors(errors: Record<string, string>): Record<string, string> {
  const own: Record<string, string> = {};
  for (const [path, message] of Object.entries(errors)) own[fieldOf[path] ?? 'message'] ??= message;
  return own;
}

const fieldOf: Partial<Record<string, keyof Draft>> = { 'content.subject': 'subject', 'content.topic_id': 'topic' };
