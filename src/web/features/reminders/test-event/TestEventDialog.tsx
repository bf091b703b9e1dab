import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { isAddressed } from '#contract/channel-types.ts';
import { type TestEvent, TestEventBody } from '#contract/events.ts';
import { recipientsOfTest } from '#contract/reminder-tests.ts';
import { isForEvent, type Reminder } from '#contract/reminders.ts';
import { ApiError } from '#web/api/client.ts';
import { useTestEvent } from '#web/api/events.ts';
import { useSession } from '#web/api/session.ts';
import { LoadedReminder } from '#web/features/reminders/LoadedReminder.tsx';
import { TestAudience } from '#web/features/reminders/TestAudience.tsx';
import { TestOutcome } from '#web/features/reminders/TestOutcome.tsx';
import { TestRecipients } from '#web/features/reminders/TestRecipients.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { focusLateForm } from '#web/ui/focus-late-form.ts';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { act } from '#web/ui/act.ts';
import { useSubmit } from '#web/ui/use-submit.ts';
import { EventDataFields } from './EventDataFields.tsx';
import { useEventData } from './use-event-data.ts';
import prose from '#web/ui/prose.module.css';
import classes from './TestEventDialog.module.css';

type TestEventDialogProps = { /** The id of the reminder. */ id: string; opened: boolean; onClose: () => void };

/** Tries an event reminder with the data of an event, and shows what came of it. */
export default function TestEventDialog({ opened, onClose, id }: TestEventDialogProps) {
  // Here, because the dialog is another one on a phone that is turned.
  const [sent, setSent] = useState<TestEvent | null>(null);
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened !== wasOpened) {
    setWasOpened(opened);
    if (opened) setSent(null);
  }
  return (
    <Dialog title="Send a test event" opened={opened} onClose={onClose} width={600}>
      <LoadedReminder id={id}>
        {(reminder) => (
          <>
            {/* It stays mounted behind the result, so that another test begins with what was typed. */}
            <div hidden={sent !== null}>
              <TestEventForm reminder={reminder} onDone={onClose} onSent={setSent} />
            </div>
            {sent !== null && (
              <TestEventResult key={sent.job_id} reminder={reminder} sent={sent} onAgain={() => setSent(null)} />
            )}
          </>
        )}
      </LoadedReminder>
    </Dialog>
  );
}

type TestEventFormProps = { reminder: Reminder; onDone: () => void; onSent: (sent: TestEvent) => void };

/** The recipients of the test, and the data that an event would bring. */
function TestEventForm({ reminder, onDone, onSent }: TestEventFormProps) {
  const { channels } = reminder.metadata;
  const me = useSession()?.user.email;
  const event = useEventData(reminder, { text: reminder.content, isNaming: true });
  const [to, setTo] = useState({
    recipients: me !== undefined && channels.includes('email') ? [me] : [],
    slack: false,
    push: false,
  });
  const [errors, setErrors] = useState<Record<string, string>>({});
  const test = useTestEvent(reminder.id);
  const submit = useSubmit(async () => {
    const parsed = TestEventBody.safeParse({ ...to, data: event.data });
    if (!parsed.success) return setErrors(fieldErrors(parsed.error.issues));
    setErrors({});
    await act(test.mutateAsync(parsed.data).then(onSent), {
      failed: 'Error',
      fallback: 'Failed to start test. Please try again.',
      refused: (error) => {
        if (error instanceof ApiError) setErrors(fieldErrors(error.fields));
        return false;
      },
    });
  });
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
        <Text fz={13} c="dimmed">
          The test goes only to the test recipients, now and without the delay. Whom the data names gets nothing.
        </Text>
        <EventDataFields of={event} event={reminder.schedule_config.eventTrigger} errors={errors} />
        <FormButtons
          onCancel={onDone}
          leftSection={<IconSend size={16} aria-hidden />}
          disabled={recipientsOfTest(to) === 0 || event.isLoading}
          isBusy={test.isPending}
        >
          Send test event
        </FormButtons>
      </Stack>
    </form>
  );
}

type TestEventResultProps = { reminder: Reminder; sent: TestEvent; onAgain: () => void };

/** What came of the test, and what a real event would do now. */
function TestEventResult({ reminder, sent, onAgain }: TestEventResultProps) {
  const more = sent.match_count - sent.matches.length;
  return (
    <Stack gap={16}>
      {/* The button that had the focus is hidden now. */}
      <Box
        ref={(section) => section?.focus()}
        tabIndex={-1}
        component="section"
        px={16}
        py={12}
        bd="1px solid var(--line)"
        bdrs="md"
        aria-label="What a real event would do"
      >
        <p className={prose.plain}>{matchText(reminder, sent)}</p>
        {sent.matches.length > 0 && (
          <ul className={classes.matches} aria-label="Reminders that it triggers">
            {sent.matches.map(({ reminder_id: id, name, scheduled_for: at }) => (
              <li key={id}>
                {id === reminder.id ? (
                  <strong>{name}</strong>
                ) : (
                  <TextLink to="/reminders/$id" params={{ id }} inherit>
                    {name}
                  </TextLink>
                )}
                <span className={prose.dim}>
                  <InstantText at={at} />
                </span>
              </li>
            ))}
            {more > 0 && <li>and {more.toLocaleString('en')} more</li>}
          </ul>
        )}
        <Text mt={8} c="dimmed" className={prose.breaks}>
          {namedText(reminder, sent)}
        </Text>
      </Box>
      <TestOutcome id={sent.job_id} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onAgain}>
          Test again
        </Button>
      </Group>
    </Stack>
  );
}

function matchText({ status, schedule_config: { eventTrigger } }: Reminder, sent: TestEvent): string {
  if (eventTrigger === undefined) return 'No event triggers this reminder: it names none.';
  const { match_count: count } = sent;
  const figure = count === 0 ? 'no' : count.toLocaleString('en');
  const sentence = `A real ${eventTrigger} now would trigger ${figure} ${count === 1 || count === 0 ? 'reminder' : 'reminders'}.`;
  if (status === 'active') return sentence;
  return `${sentence} This one is ${status === 'draft' ? 'a draft' : 'paused'}, so it would not be sent.`;
}

function namedText(reminder: Reminder, { named }: TestEvent): string {
  if (!isForEvent(reminder)) return 'It would go to the recipients of each reminder.';
  return named.length === 0
    ? 'This data names nobody: a real event would go only to the reminder’s own recipients.'
    : `This data names ${named.join(' and ')}, who got nothing of the test.`;
}
