import { ActionIcon, Button } from '@mantine/core';
import { IconCalendarEvent, IconFlask, IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { Reminder } from '#contract/reminders.ts';
import { useSetReminderStatus } from '#web/api/reminders.ts';
import { ButtonLink } from '#web/ui/links.tsx';
import { notifyAnswer, notifyError, notifySuccess } from '#web/ui/notify.tsx';
import classes from './ReminderCard.module.css';
import { scheduleText } from './schedule-text.ts';

type ReminderActionsProps = { reminder: Reminder; onTest: () => void };

/** Edit, Test, Pause or Resume, and the schedule in a toast. */
export function ReminderActions({ reminder, onTest }: ReminderActionsProps) {
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
      <Button size="xs" variant="default" leftSection={<IconFlask size={14} aria-hidden />} onClick={onTest}>
        Test
      </Button>
      <StatusButton reminder={reminder} />
      <ActionIcon
        className={classes.details}
        size={30}
        variant="default"
        aria-label="Schedule details"
        data-hint="Schedule details"
        onClick={() => notifyAnswer('Schedule Details', `Schedule: ${scheduleText(reminder.schedule_config)}`)}
      >
        <IconCalendarEvent size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}

function StatusButton({ reminder: { id, status } }: { reminder: Reminder }) {
  const change = useSetReminderStatus();
  const isActive = status === 'active';
  const Icon = isActive ? IconPlayerPause : IconPlayerPlay;
  const turn = () =>
    change.mutate(
      { id, status: isActive ? 'paused' : 'active' },
      {
        onSuccess: () => notifySuccess('Success', `Reminder ${isActive ? 'paused' : 'resumed'} successfully`),
        onError: () => notifyError('Error', 'Failed to update reminder status'),
      },
    );
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon size={14} aria-hidden />}
      loading={change.isPending}
      onClick={turn}
    >
      {isActive ? 'Pause' : 'Resume'}
    </Button>
  );
}
