import { Input, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { eventDataLimits, type TestEvent, TestEventBody } from '#contract/events.ts';
import { recipientsOfTest } from '#contract/reminder-tests.ts';
import { type Reminder } from '#contract/reminders.ts';
import { isAddressed } from '#domain/recipients.ts';
import { ApiError } from '#web/api/client.ts';
import { useTestEvent } from '#web/api/events.ts';
import { useSession } from '#web/api/session.ts';
import { Notice } from '#web/features/reminders/Notice.tsx';
import { TestAudience } from '#web/features/reminders/TestAudience.tsx';
import { TestRecipients } from '#web/features/reminders/TestRecipients.tsx';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { focusLateForm } from '#web/ui/focus-late-form.ts';
import { notifyFailure } from '#web/ui/notify.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import { eventFields } from './event-fields.ts';
import classes from './TestEventForm.module.css';

type TestEventFormProps = { reminder: Reminder; onDone: () => void; onSent: (sent: TestEvent) => void };

/** The recipients of the test, and the data that an event would bring. */
export function TestEventForm({ reminder, onDone, onSent }: TestEventFormProps) {
  const { channels } = reminder.metadata;
  const me = useSession()?.user.email;
  const [fields] = useState(() => eventFields(reminder, { now: new Date() }));
  const [data, setData] = useState(fields.values);
  const [to, setTo] = useState({
    recipients: me !== undefined && channels.includes('email') ? [me] : [],
    slack: false,
    push: false,
  });
  const [errors, setErrors] = useState<Record<string, string>>({});
  const test = useTestEvent(reminder.id);
  const submit = useSubmit(async () => {
    // A blank field is a value that the event does not bring.
    const given = Object.fromEntries(Object.entries(data).filter(([, value]) => value.trim() !== ''));
    const parsed = TestEventBody.safeParse({ ...to, data: given });
    if (!parsed.success) return setErrors(fieldErrors(parsed.error.issues));
    setErrors({});
    try {
      onSent(await test.mutateAsync(parsed.data));
    } catch (error) {
      if (error instanceof ApiError) setErrors(fieldErrors(error.fields));
      notifyFailure('Error', error, 'Failed to start test. Please try again.');
    }
  });
  const change = (name: string, value: string) => setData((before) => ({ ...before, [name]: value }));
  const names = Object.keys(fields.values);
  return (
    <form ref={focusLateForm} noValidate onSubmit={submit}>
      <Stack gap={16}>
        {channels.some(isAddressed) && (
          <TestRecipients
            recipients={to.recipients}
            channels={channels}
            error={errors.recipients}
            onChange={(recipients) => setTo((before) => ({ ...before, recipients }))}
          />
        )}
        <TestAudience {...to} channels={channels} onChange={(part) => setTo((before) => ({ ...before, ...part }))} />
        <p className={classes.hint}>
          The test goes only to the test recipients, now and without the delay. Whom the data names gets nothing.
        </p>
        {names.length > 0 && (
          <div role="group" aria-labelledby="event-data">
            <Input.Label id="event-data" component="div" mb={8}>
              Data of the event
            </Input.Label>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={16} verticalSpacing={12}>
              {names.map((name) => (
                <TextInput
                  key={name}
                  label={name}
                  autoComplete="off"
                  maxLength={eventDataLimits.value}
                  error={errors[`data.${name}`]}
                  value={data[name] ?? ''}
                  onChange={({ currentTarget }) => change(name, currentTarget.value)}
                />
              ))}
            </SimpleGrid>
          </div>
        )}
        {fields.left > 0 && (
          <Notice>{`${fields.left.toLocaleString('en')} more variables have no field here: a message that needs them is not sent.`}</Notice>
        )}
        {errors.data !== undefined && <Input.Error>{errors.data}</Input.Error>}
        <FormButtons
          onCancel={onDone}
          leftSection={<IconSend size={16} aria-hidden />}
          disabled={recipientsOfTest(to) === 0}
          isBusy={test.isPending}
        >
          Send test event
        </FormButtons>
      </Stack>
    </form>
  );
}
