import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconSend } from '@tabler/icons-react';
import type { FormEvent } from 'react';
import { type Reminder, TestBody } from '#contract/reminders.ts';
import { useTestReminder } from '#web/api/reminders.ts';
import { notifyError, notifyOffering } from '#web/ui/notify.tsx';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { TestRecipients } from './TestRecipients.tsx';

type TestReminderFormProps = { reminder: Reminder; onDone: () => void; onSeeOutcome: (job: string) => void };

export function TestReminderForm({ reminder, onDone, onSeeOutcome }: TestReminderFormProps) {
  const { subject, message } = reminder.content;
  const form = useForm({ initialValues: { recipients: Array.of<string>(), subject, message } });
  const test = useTestReminder(reminder.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = TestBody.safeParse(form.getValues());
    if (!parsed.success) return form.setErrors(fieldErrors(parsed.error.issues));
    test.mutate(parsed.data, {
      onSuccess: ({ job_id }) => {
        notifyOffering('Test Started', `Test reminder will be sent to ${parsed.data.recipients.length} recipient(s)`, {
          label: 'See outcome',
          onChoose: () => onSeeOutcome(job_id),
        });
        onDone();
      },
      onError: () => notifyError('Error', 'Failed to start test. Please try again.'),
    });
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={16}>
        <TestRecipients
          recipients={form.values.recipients}
          channels={reminder.metadata.channels}
          error={form.errors.recipients}
          onChange={(recipients) => form.setFieldValue('recipients', recipients)}
        />
        <TextInput label="Subject" {...form.getInputProps('subject')} />
        <Textarea label="Message" rows={4} {...form.getInputProps('message')} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button
            type="submit"
            leftSection={<IconSend size={16} aria-hidden />}
            disabled={form.values.recipients.length === 0}
            loading={test.isPending}
          >
            Send Test
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
