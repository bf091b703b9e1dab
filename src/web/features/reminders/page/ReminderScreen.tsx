import { Button, Skeleton } from '@mantine/core';
import { IconBellOff, IconFlask, IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import type { EarlierText } from '#contract/reminder-history.ts';
import type { Reminder } from '#contract/reminders.ts';
import { isNotHere } from '#web/api/client.ts';
import { useReminderRuns } from '#web/api/jobs.ts';
import { useEarlierTexts, useOccurrences, useReminder } from '#web/api/reminders.ts';
import { useTopics } from '#web/api/topics.ts';
import { type AskedDialog, useReminderActs } from '#web/features/reminders/act-on-reminder.ts';
import { PauseOne } from '#web/features/reminders/pausing/PauseDialogs.tsx';
import { ReminderMenu } from '#web/features/reminders/ReminderMenu.tsx';
import { kindText } from '#web/features/topics/topic-words.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import prose from '#web/ui/prose.module.css';
import classes from '#web/ui/record.module.css';
import { BackLink, Loaded, RecordSection, RecordSkeleton } from '#web/ui/Record.tsx';
import { useEver } from '#web/ui/use-ever.ts';
import { ReminderChanges } from './ReminderChanges.tsx';
import { ReminderNext } from './ReminderNext.tsx';
import { ReminderPeople } from './ReminderPeople.tsx';
import { ReminderRuns } from './ReminderRuns.tsx';

const HookSection = lazy(() => import('#web/features/hooks/HookSection.tsx'));
const TestReminderDialog = lazy(() => import('#web/features/reminders/TestReminderDialog.tsx'));
const TestOutcomeDialog = lazy(() => import('#web/features/reminders/TestOutcomeDialog.tsx'));
const TestEventDialog = lazy(() => import('#web/features/reminders/test-event/TestEventDialog.tsx'));

const route = getRouteApi('/themed/signed-in/reminders/$id');
const back = <BackLink to="/reminders">Back to Reminders</BackLink>;

/** One reminder: when it is sent next, what its runs came to, to whom it is sent and what it says. */
export function ReminderScreen() {
  const { id } = route.useParams();
  const { data: reminder, error, isPending, isFetching, refetch } = useReminder(id);
  // These load in parallel with the reminder.
  useReminderRuns(id);
  useOccurrences(id);
  if (reminder) return <Page key={reminder.id} reminder={reminder} />;
  return (
    <>
      <PageHeader title="Reminder" above={back} />
      {isPending ? (
        <RecordSkeleton label="Loading the reminder" />
      ) : isNotHere(error) ? (
        <EmptyState
          icon={IconBellOff}
          title="This reminder is not here"
          sentence="It was deleted, or it belongs to another workspace. What it sent is still listed under Jobs."
          action={<ButtonLink to="/reminders">Show all reminders</ButtonLink>}
        />
      ) : (
        <ErrorState title="Failed to load reminder data" of={{ error, refetch, isFetching }} />
      )}
    </>
  );
}

function Page({ reminder }: { reminder: Reminder }) {
  const { id, name, description, warnings } = reminder;
  return (
    <>
      <PageHeader title={name} subtitle={description} above={back} actions={<Actions reminder={reminder} />} />
      {warnings.length > 0 && (
        <ul className={classes.warnings} aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      <div className={classes.columns}>
        <div className={classes.column}>
          <ReminderRuns id={id} zone={reminder.schedule_config.timezone} />
          {reminder.schedule_config.eventTrigger === 'custom_webhook' && (
            <Suspense fallback={<Skeleton height={360} radius="md" />}>
              <HookSection reminder={reminder} />
            </Suspense>
          )}
          <ReminderMessage reminder={reminder} />
          <EarlierTexts id={id} zone={reminder.schedule_config.timezone} />
        </div>
        <div className={classes.column}>
          <ReminderNext reminder={reminder} />
          <ReminderPeople reminder={reminder} />
          <ReminderChanges reminder={reminder} />
        </div>
      </div>
    </>
  );
}

function Actions({ reminder }: { reminder: Reminder }) {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<AskedDialog>({});
  const leave = useCallback(() => void navigate({ to: '/reminders' }), [navigate]);
  const { acts, dialog } = useReminderActs({ open: setAsked, onRemoved: leave });
  const [isToggling, setToggling] = useState(false);
  const isActive = reminder.status === 'active';
  const Icon = isActive ? IconPlayerPause : IconPlayerPlay;
  const toggle = async () => {
    setToggling(true);
    await acts.toggle(reminder);
    setToggling(false);
  };
  return (
    <>
      <Button variant="default" leftSection={<IconFlask size={16} aria-hidden />} onClick={() => acts.test(reminder)}>
        Test
      </Button>
      {!reminder.is_done && (
        <Button
          variant="default"
          leftSection={<Icon size={16} aria-hidden />}
          loading={isToggling}
          onClick={() => void toggle()}
        >
          {isActive ? 'Pause' : 'Resume'}
        </Button>
      )}
      <ButtonLink
        to="/reminders/$id/edit"
        params={{ id: reminder.id }}
        leftSection={<IconPencil size={16} aria-hidden />}
      >
        Edit
      </ButtonLink>
      <ReminderMenu reminder={reminder} acts={acts} isButton />
      {dialog}
      <PageDialogs id={reminder.id} asked={asked} onClose={() => setAsked({})} />
    </>
  );
}

/** The dialogs of the actions. Each loads when first opened, and stays mounted for its closing animation. */
function PageDialogs({ id, asked, onClose }: { id: string; asked: AskedDialog; onClose: () => void }) {
  const [sentJob, setSentJob] = useState<string | null>(null);
  const [isShown, setShown] = useState(false);
  const [isTesting, isTryingEvent, isPausing] = [
    asked.test !== undefined,
    asked.event !== undefined,
    asked.pause !== undefined,
  ];
  const [hasTested, hasTriedEvent, hasPaused] = [useEver(isTesting), useEver(isTryingEvent), useEver(isPausing)];
  const showOutcome = (job: string) => {
    onClose();
    setSentJob(job);
    setShown(true);
  };
  return (
    <Suspense>
      {hasTested && <TestReminderDialog id={id} opened={isTesting} onClose={onClose} onSent={showOutcome} />}
      {sentJob && <TestOutcomeDialog key={sentJob} id={sentJob} opened={isShown} onClose={() => setShown(false)} />}
      {hasTriedEvent && <TestEventDialog id={id} opened={isTryingEvent} onClose={onClose} />}
      {hasPaused && <PauseOne id={id} opened={isPausing} onClose={onClose} />}
    </Suspense>
  );
}

/** What the reminder says, as it is written. */
function ReminderMessage({ reminder: { content, updated_at: changed } }: { reminder: Reminder }) {
  return (
    <RecordSection
      title="Message"
      aside={
        <span className={classes.note}>
          Changed <InstantText at={changed} />
        </span>
      }
    >
      <div className={classes.body}>
        <TopicLine id={content.topic_id} />
        <p className={classes.subject}>{content.subject}</p>
        {/* A long text scrolls, also by keyboard. */}
        <pre className={classes.text} tabIndex={0} aria-label="Text of the message" role="region">
          {content.message}
        </pre>
      </div>
    </RecordSection>
  );
}

/** What the message is about, and whether people can leave it. */
function TopicLine({ id }: { id: string | undefined }) {
  const topic = useTopics().data?.find((one) => one.id === id);
  return topic === undefined ? null : (
    <p className={`${prose.plain} ${classes.note}`}>
      Topic: {topic.name} · {kindText(topic)}
    </p>
  );
}

/** What the reminder said before its edits; nothing where it was never sent with another text. */
function EarlierTexts({ id, zone }: { id: string; zone: string }) {
  const texts = useEarlierTexts(id);
  if (texts.error === null && (texts.data ?? []).length === 0) return null;
  return (
    <RecordSection title="Earlier texts">
      <Loaded of={texts} failed="Error loading earlier texts">
        {(found) => (
          <ul aria-label="Earlier texts">
            {found.map((text) => (
              <Row key={text.revision} text={text} zone={zone} />
            ))}
          </ul>
        )}
      </Loaded>
    </RecordSection>
  );
}

function Row({ text: { subject, message, last_sent_at: last }, zone }: { text: EarlierText; zone: string }) {
  return (
    <li className={classes.row}>
      <details className={classes.earlier}>
        <summary>
          <span className={classes.name}>{subject}</span>
          {last !== null && (
            <span className={classes.note}>
              {' '}
              · last sent <InstantText at={last} zone={zone} />
            </span>
          )}
        </summary>
        <p className={classes.text}>{message}</p>
      </details>
    </li>
  );
}
