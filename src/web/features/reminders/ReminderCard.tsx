import { ActionIcon, Box, Card, Flex, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCalendarEvent,
  IconFlask,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo, useState } from 'react';
import { isAudience } from '#contract/audience.ts';
import { isForEvent, type ReminderState, type ReminderSummary, stateOfReminder } from '#contract/reminders.ts';
import { SmallButton } from '#web/ui/SmallButton.tsx';
import { storedScheduleInWords } from '#web/features/reminders/form/schedule-words.ts';
import { usePausedUntil } from '#web/features/reminders/pausing/use-all-paused.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { Fact } from '#web/ui/Facts.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import type { ReminderActs } from './act-on-reminder.ts';
import { LastRunText } from './LastRunText.tsx';
import prose from '#web/ui/prose.module.css';
import card from '#web/ui/card.module.css';
import classes from './ReminderCard.module.css';
import { ReminderMenu } from './ReminderMenu.tsx';
import { scheduleText } from './schedule-text.ts';
import list from '#web/ui/list.module.css';
import { useRecipientsText } from './use-recipients-text.ts';

type ReminderCardProps = { reminder: ReminderSummary; acts: ReminderActs };

export const ReminderCard = memo(({ reminder, acts }: ReminderCardProps) => {
  return (
    <Card className={card.card} component="article" aria-labelledby={`reminder-${reminder.id}`}>
      <div className={classes.head}>
        <Title order={2} size="h3" className={classes.name} id={`reminder-${reminder.id}`}>
          <Link to="/reminders/$id" params={{ id: reminder.id }}>
            {reminder.name}
          </Link>
        </Title>
        <StatusBadge kind="reminder" status={stateOfReminder(reminder)} />
        <ReminderMenu reminder={reminder} acts={acts} />
      </div>
      {reminder.description && <p className={card.description}>{reminder.description}</p>}
      <ReminderFacts reminder={reminder} />
      <Warnings sentences={reminder.warnings} />
      <ReminderActions reminder={reminder} acts={acts} />
    </Card>
  );
});

function Warnings({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <ul className={classes.warnings} aria-label="Warnings">
      {sentences.map((sentence) => (
        <li key={sentence}>
          <IconAlertTriangle size={14} aria-hidden />
          <Box component="span" miw={0} className={prose.breaks}>
            {sentence}
          </Box>
        </li>
      ))}
    </ul>
  );
}

/** Schedule with the next occurrence, channels, creation date, status. */
function ReminderFacts({ reminder }: { reminder: ReminderSummary }) {
  return (
    <dl className={classes.facts}>
      <Fact name="Schedule">
        <div className={list.name}>{scheduleText(reminder.schedule_config)}</div>
        <Words schedule={reminder.schedule_config} />
        <NextRun reminder={reminder} />
        <LastRun reminder={reminder} />
      </Fact>
      <Fact name="Channels">
        <Channels channels={reminder.metadata.channels} />
      </Fact>
      {(isAudience(reminder.metadata.audience) || isForEvent(reminder)) && (
        <Fact name="People">
          <People reminder={reminder} />
        </Fact>
      )}
      <Fact name="Created">
        <InstantText at={reminder.created_at} show="day" />
      </Fact>
      <Fact name="Status">{statusWords[stateOfReminder(reminder)]}</Fact>
    </dl>
  );
}

const statusWords: Record<ReminderState, string> = { active: 'Active', paused: 'Paused', draft: 'Draft', done: 'Done' };

/** The schedule in the words of the form, where the specified text says less. */
function Words({ schedule }: { schedule: ReminderSummary['schedule_config'] }) {
  const words = storedScheduleInWords(schedule);
  return words === null ? null : <div className={prose.dim}>{words}</div>;
}

function NextRun({ reminder }: { reminder: ReminderSummary }) {
  const { status, next_run_at: next, schedule_config: schedule } = reminder;
  const pausedUntil = usePausedUntil(reminder);
  if (pausedUntil !== null) {
    return (
      <div className={prose.dim}>
        Paused until <InstantText at={pausedUntil} />
      </div>
    );
  }
  if (status !== 'active' || reminder.is_done || schedule.type !== 'scheduled') return null;
  return (
    <div className={prose.dim}>
      {next === null ? (
        'No more occurrences'
      ) : (
        <>
          Next: <InstantText at={next} zone={schedule.timezone} />
          {reminder.opens_at !== null && (
            <>
              , waits for the sending hours until <InstantText at={reminder.opens_at} zone={schedule.timezone} />
            </>
          )}
        </>
      )}
    </div>
  );
}

function People({ reminder }: { reminder: ReminderSummary }) {
  const { content, metadata } = reminder;
  return useRecipientsText(content.recipient_count, {
    audience: metadata.audience,
    isForEvent: isForEvent(reminder),
    channels: metadata.channels,
  });
}

function LastRun({ reminder: { last_run: last, schedule_config: schedule } }: { reminder: ReminderSummary }) {
  if (last === null) return null;
  return (
    <div className={prose.dim}>
      Last: <LastRunText run={last} zone={schedule.timezone} />
    </div>
  );
}

function Channels({ channels }: { channels: ReminderSummary['metadata']['channels'] }) {
  return (
    <Flex component="span" gap="2px 12px" wrap="wrap">
      {channels.map((channel) => {
        const { name, icon: Icon } = channelLooks[channel];
        return (
          <Flex key={channel} component="span" display="inline-flex" gap={4} align="center">
            <Icon size={16} stroke={1.6} aria-hidden />
            {name}
          </Flex>
        );
      })}
    </Flex>
  );
}

type ReminderActionsProps = { reminder: ReminderSummary; acts: ReminderActs };

/** Edit, Test, Pause or Resume where something lies ahead, and the schedule. */
function ReminderActions({ reminder, acts }: ReminderActionsProps) {
  return (
    <div className={card.actions}>
      <ButtonLink
        to="/reminders/$id/edit"
        params={{ id: reminder.id }}
        size="xs"
        variant="default"
        leftSection={<IconPencil size={14} aria-hidden />}
      >
        Edit
      </ButtonLink>
      <SmallButton icon={IconFlask} size="xs" onClick={() => acts.test(reminder)}>
        Test
      </SmallButton>
      {!reminder.is_done && <StatusButton reminder={reminder} acts={acts} />}
      <ActionIcon
        ml="auto"
        size={30}
        variant="default"
        aria-label="Schedule details"
        data-hint="Schedule details"
        onClick={() => acts.showSchedule(reminder)}
      >
        <IconCalendarEvent size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}

function StatusButton({ reminder, acts }: ReminderActionsProps) {
  const [isTurning, setIsTurning] = useState(false);
  const isActive = reminder.status === 'active';
  const Icon = isActive ? IconPlayerPause : IconPlayerPlay;
  const toggle = async () => {
    setIsTurning(true);
    await acts.toggle(reminder);
    setIsTurning(false);
  };
  return (
    <SmallButton icon={Icon} size="xs" loading={isTurning} onClick={() => void toggle()}>
      {isActive ? 'Pause' : 'Resume'}
    </SmallButton>
  );
}
