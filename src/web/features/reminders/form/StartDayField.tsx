import { Select } from '@mantine/core';
import { useReminderFormContext } from './form-context.ts';
import { dayOfMonthOf, onDayOfMonth, onWeekday, weekdayOf } from './start-day.ts';
import { tomorrowAtNine, wallTimeIn } from './wall-time.ts';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'].map((label, at) => ({
  value: String(at),
  label,
}));
const days = Array.from({ length: 31 }, (_, at) => ({
  value: String(at + 1),
  label: at < 28 ? String(at + 1) : `${at + 1} (or the last day)`,
}));

/** The weekday of a weekly reminder, the day of a monthly one: a part of its start date. */
export function StartDayField() {
  const form = useReminderFormContext();
  const { scheduleType, startDate, timezone } = form.values.schedule_config;
  if (scheduleType !== 'weekly' && scheduleType !== 'monthly') return null;
  const isWeekly = scheduleType === 'weekly';
  const choose = (value: string | null) => {
    if (value === null) return;
    const now = new Date();
    const today = wallTimeIn(now.toISOString(), timezone).slice(0, 10);
    const start = startDate ?? tomorrowAtNine(now);
    const moved = isWeekly
      ? onWeekday(start, { weekday: Number(value), today })
      : onDayOfMonth(start, { day: Number(value), today });
    form.clearFieldError('schedule_config.startDate');
    form.setFieldValue('schedule_config.startDate', moved);
  };
  const chosen = startDate === null ? null : String(isWeekly ? weekdayOf(startDate) : dayOfMonthOf(startDate));
  return (
    <Select
      label={isWeekly ? 'Weekday' : 'Day of the month'}
      data={isWeekly ? weekdays : days}
      allowDeselect={false}
      placeholder="Of the start date"
      maxDropdownHeight={280}
      value={chosen}
      onChange={choose}
    />
  );
}
