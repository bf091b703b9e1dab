import { Group, Skeleton, Title } from '@mantine/core';
import { type Reminder, stateOfReminder } from '#contract/reminders.ts';
import type { Forecast } from '#contract/schedules.ts';
import { useOccurrences, useReminder } from '#web/api/reminders.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { momentText } from '#web/ui/InstantText.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import prose from '#web/ui/prose.module.css';
import classes from './ScheduleDialog.module.css';
import { eventSentence, scheduleText } from './schedule-text.ts';

type ScheduleDialogProps = { /** The id of the reminder. */ id: string; opened: boolean; onClose: () => void };

/** The next ten occurrences of a reminder, in its own zone and in the viewer's. */
export default function ScheduleDialog({ id, opened, onClose }: ScheduleDialogProps) {
  return (
    <Dialog title="Next occurrences" opened={opened} onClose={onClose} width={520}>
      <Contents id={id} />
    </Dialog>
  );
}

function Contents({ id }: { id: string }) {
  const reminder = useReminder(id);
  const forecast = useOccurrences(id);
  if (reminder.isPending || forecast.isPending) return <Loading />;
  if (!reminder.data || !forecast.data) {
    return (
      <ErrorState
        title="Failed to load reminder data"
        of={{
          error: reminder.error ?? forecast.error,
          refetch: () => Promise.all([reminder.refetch(), forecast.refetch()]),
          isFetching: reminder.isFetching || forecast.isFetching,
        }}
      />
    );
  }
  return <Schedule reminder={reminder.data} forecast={forecast.data} />;
}

function Schedule({ reminder, forecast }: { reminder: Reminder; forecast: Forecast }) {
  const { name, status, schedule_config: schedule, paused_until: pausedUntil } = reminder;
  return (
    <>
      <Title order={2} mb={8} className={prose.breaks}>
        {name}
      </Title>
      <Group gap="4px 12px" className={prose.breaks}>
        <StatusBadge kind="reminder" status={stateOfReminder(reminder)} />
        <span>{scheduleText(schedule)}</span>
        <span className={prose.dim}>{schedule.timezone.replaceAll('_', ' ')}</span>
      </Group>
      {status !== 'active' && (
        <Notice>
          {pausedUntil !== null
            ? `This reminder is paused until ${momentText(pausedUntil, viewerZone())}. Then it resumes by itself.`
            : status === 'paused'
              ? 'This reminder is paused. Nothing is sent until it is resumed.'
              : 'This reminder is a draft. Nothing is sent until it is started.'}
        </Notice>
      )}
      <Occurrences reminder={reminder} forecast={forecast} />
    </>
  );
}

function Occurrences({
  reminder: { schedule_config: schedule, is_done: isDone },
  forecast: { occurrences, notes },
}: Parameters<typeof Schedule>[0]) {
  if (schedule.type === 'event-based') return <p className={classes.none}>{eventSentence(schedule)}</p>;
  if (isDone) return <p className={classes.none}>Done: nothing of it lies ahead. Edit it to send it again.</p>;
  if (occurrences.length === 0) return <p className={classes.none}>No more occurrences</p>;
  const isElsewhere = schedule.timezone !== viewerZone();
  return (
    <ol className={classes.list}>
      {occurrences.map((at) => (
        <li key={at}>
          <time dateTime={at}>{momentText(at, schedule.timezone)}</time>
          {isElsewhere && <span className={prose.dim}>{momentText(at, viewerZone())} your time</span>}
          {notes
            .filter((one) => one.at === at)
            .map(({ note }) => (
              <p key={note} className={classes.note}>
                {note}
              </p>
            ))}
        </li>
      ))}
    </ol>
  );
}

function Loading() {
  return (
    <div role="status" aria-busy aria-label="Loading the schedule">
      <Skeleton height={20} width="50%" mb={12} />
      <Skeleton height={24} width="70%" mb={16} />
      {Array.from({ length: 10 }, (_, row) => (
        <Skeleton key={row} height={14} width="65%" my={14} />
      ))}
    </div>
  );
}
