import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { isForEvent, type ReminderSummary, stateOfReminder } from '#contract/reminders.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import type { ReminderActs } from './act-on-reminder.ts';
import { LastRunText } from './LastRunText.tsx';
import { usePausedUntil } from './pausing/use-all-paused.ts';
import { ReminderMenu } from './ReminderMenu.tsx';
import classes from './ReminderTable.module.css';
import { storedScheduleInWords } from './form/schedule-words.ts';
import { scheduleText } from './schedule-text.ts';
import { useRecipientsText } from './use-recipients-text.ts';

type ReminderRowProps = {
  /** The index of the row among all loaded reminders, from 0. */
  index: number;
  reminder: ReminderSummary;
  acts: ReminderActs;
  isChosen: boolean;
  onToggle: (id: string) => void;
};

export const ReminderRow = memo(({ index, reminder, acts, isChosen, onToggle }: ReminderRowProps) => {
  const { id, name, schedule_config: schedule, content, metadata, updated_at } = reminder;
  const text = scheduleText(schedule);
  const words = storedScheduleInWords(schedule);
  const recipients = useRecipientsText(content.recipient_count, {
    audience: metadata.audience,
    isForEvent: isForEvent(reminder),
    channels: metadata.channels,
  });
  return (
    <tr data-id={id} data-chosen={isChosen || undefined} aria-rowindex={index + 2}>
      <td className={classes.select}>
        <label className={classes.choose}>
          <input type="checkbox" aria-label={`Choose ${name}`} checked={isChosen} onChange={() => onToggle(id)} />
        </label>
      </td>
      <td className={classes.name}>
        <Link to="/reminders/$id" params={{ id }} title={name}>
          {name}
        </Link>
      </td>
      <td className={classes.status}>
        <StatusBadge kind="reminder" status={stateOfReminder(reminder)} />
      </td>
      <td className={classes.schedule} title={words === null ? text : `${text} · ${words}`}>
        {text}
      </td>
      <td className={classes.next}>
        <NextRun reminder={reminder} />
        {reminder.last_run && (
          <span className={classes.last}>
            Last: <LastRunText run={reminder.last_run} zone={schedule.timezone} />
          </span>
        )}
      </td>
      <td className={classes.channels}>
        {metadata.channels.map((channel) => {
          const { name: channelName, icon: Icon } = channelLooks[channel];
          return (
            <Icon key={channel} size={16} stroke={1.6} role="img" aria-label={channelName} data-hint={channelName} />
          );
        })}
      </td>
      <td className={classes.recipients} title={recipients}>
        <span>{recipients}</span>
      </td>
      <td className={classes.changed}>
        <RelativeTime at={updated_at} />
      </td>
      <td className={classes.menu}>
        <ReminderMenu reminder={reminder} acts={acts} hasAll />
      </td>
    </tr>
  );
});

function NextRun({ reminder }: { reminder: ReminderSummary }) {
  const { status, next_run_at: next, schedule_config: schedule } = reminder;
  const pausedUntil = usePausedUntil(reminder);
  if (pausedUntil !== null) {
    return (
      <>
        Paused until <InstantText at={pausedUntil} />
      </>
    );
  }
  if (status !== 'active' || reminder.is_done) return <span className={classes.nothing}>–</span>;
  if (schedule.type === 'event-based') return 'After the event';
  return next === null ? (
    'No more occurrences'
  ) : (
    <InstantText at={reminder.opens_at ?? next} zone={schedule.timezone} />
  );
}
