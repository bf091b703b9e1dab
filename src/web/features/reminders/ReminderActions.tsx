import { ActionIcon, Button } from '@mantine/core';
import { IconCalendarEvent, IconFlask, IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReminderSummary } from '#contract/reminders.ts';
import { ButtonLink } from '#web/ui/links.tsx';
import type { ReminderActs } from './act-on-reminder.ts';
import classes from './ReminderCard.module.css';

type ReminderActionsProps = { reminder: ReminderSummary; acts: ReminderActs };

/** Edit, Test, Pause or Resume, and the schedule. */
export function ReminderActions({ reminder, acts }: ReminderActionsProps) {
  return (
    <div className={classes.actions}>
      <ButtonLink
        to="/reminders/$id/edit"
        params={{ id: reminder.id }}
        size="xs"
        variant="default"
        leftSection={<IconPencil size={14} aria-hidden />}
      >
        Edit
      </ButtonLink>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconFlask size={14} aria-hidden />}
        onClick={() => acts.test(reminder)}
      >
        Test
      </Button>
      <StatusButton reminder={reminder} acts={acts} />
      <ActionIcon
        className={classes.details}
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
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon size={14} aria-hidden />}
      loading={isTurning}
      onClick={() => void toggle()}
    >
      {isActive ? 'Pause' : 'Resume'}
    </Button>
  );
}
