import type { ReactNode } from 'react';
import { isAudience } from '#contract/audience.ts';
import { isForEvent, type ReminderSummary } from '#contract/reminders.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import classes from './ReminderCard.module.css';
import { endText } from './last-run.ts';
import { LastRunText } from './LastRunText.tsx';
import { usePausedUntil } from './pausing/use-all-paused.ts';
import { storedScheduleInWords } from './form/schedule-words.ts';
import { scheduleText } from './schedule-text.ts';
import { useRecipientsText } from './use-recipients-text.ts';

/** Schedule with the next occurrence, channels, creation date, status. */
export function ReminderFacts({ reminder }: { reminder: ReminderSummary }) {
  return (
    <dl className={classes.facts}>
      <Fact term="Schedule">
        <div className={classes.schedule}>{scheduleText(reminder.schedule_config)}</div>
        <Words schedule={reminder.schedule_config} />
        <NextRun reminder={reminder} />
        <LastRun reminder={reminder} />
      </Fact>
      <Fact term="Channels">
        <Channels channels={reminder.metadata.channels} />
      </Fact>
      {(isAudience(reminder.metadata.audience) || isForEvent(reminder)) && (
        <Fact term="People">
          <People reminder={reminder} />
        </Fact>
      )}
      <Fact term="Created">
        <InstantText at={reminder.created_at} show="day" />
      </Fact>
      <Fact term="Status">{statusWords[reminder.status]}</Fact>
    </dl>
  );
}

const statusWords: Record<ReminderSummary['status'], string> = { active: 'Active', paused: 'Paused', draft: 'Draft' };

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The schedule in the words of the form, where the specified text says less. */
function Words({ schedule }: { schedule: ReminderSummary['schedule_config'] }) {
  const words = storedScheduleInWords(schedule);
  return words === null ? null : <div className={classes.next}>{words}</div>;
}

function NextRun({ reminder }: { reminder: ReminderSummary }) {
  const { status, next_run_at: next, schedule_config: schedule } = reminder;
  const pausedUntil = usePausedUntil(reminder);
  if (pausedUntil !== null) {
    return (
      <div className={classes.next}>
        Paused until <InstantText at={pausedUntil} />
      </div>
    );
  }
  if (status !== 'active' || schedule.type !== 'scheduled') return null;
  return (
    <div className={classes.next}>
      {next === null ? (
        endText(reminder)
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
  return useRecipientsText(content.recipient_count, { audience: metadata.audience, isForEvent: isForEvent(reminder) });
}

function LastRun({ reminder: { last_run: last, schedule_config: schedule } }: { reminder: ReminderSummary }) {
  if (last === null) return null;
  return (
    <div className={classes.next}>
      Last: <LastRunText run={last} zone={schedule.timezone} />
    </div>
  );
}

function Channels({ channels }: { channels: ReminderSummary['metadata']['channels'] }) {
  return (
    <span className={classes.channels}>
      {channels.map((channel) => {
        const { name, icon: Icon } = channelLooks[channel];
        return (
          <span key={channel} className={classes.channel}>
            <Icon size={16} stroke={1.6} aria-hidden />
            {name}
          </span>
        );
      })}
    </span>
  );
}
