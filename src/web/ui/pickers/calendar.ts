import type { DayOfWeek } from '@mantine/dates';

const sunday: DayOfWeek = 0;

/** What the calendar of every picker has in common: the week starts on Sunday; no day is red, because red marks errors; days of
 * another month would be too pale to read; its popover is labelled by the field. */
export const calendar = (id: string) => ({
  id,
  popoverProps: { id },
  firstDayOfWeek: sunday,
  weekendDays: [],
  hideOutsideDates: true,
  ariaLabels: {
    previousMonth: 'Previous month',
    nextMonth: 'Next month',
    previousYear: 'Previous year',
    nextYear: 'Next year',
    previousDecade: 'Previous decade',
    nextDecade: 'Next decade',
  },
});
