// Styles of components that only this tab uses; they load with the tab.
import '@mantine/dates/styles.layer.css';
import { Stack } from '@mantine/core';
import { calendarTrigger } from '#contract/schedules.ts';
import { CalendarNote } from './CalendarNote.tsx';
import { EventFields } from './EventFields.tsx';
import { ForecastPanel } from './ForecastPanel.tsx';
import { MisfireField } from './MisfireField.tsx';
import { useReminderFormContext } from './form-context.ts';
import classes from './ReminderForm.module.css';
import { ScheduledFields } from './ScheduledFields.tsx';
import { useScheduleForecast } from './schedule-forecast.ts';
import { ZoneField } from './ZoneField.tsx';

/** The schedule, with a forecast next to it. */
export default function ScheduleTab() {
  const { schedule_config: schedule } = useReminderFormContext().values;
  const forecast = useScheduleForecast(schedule);
  if (schedule.type === 'event-based' && schedule.eventTrigger === calendarTrigger) return <CalendarNote />;
  return (
    <div className={classes.columns}>
      <Stack gap={20}>
        {schedule.type === 'scheduled' ? <ScheduledFields cronError={forecast.cronError} /> : <EventFields />}
        <ZoneField />
        {schedule.type === 'scheduled' && <MisfireField />}
      </Stack>
      <ForecastPanel schedule={schedule} forecast={forecast} />
    </div>
  );
}
