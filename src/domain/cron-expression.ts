import type { CronFields } from '#domain/cron-calendar.ts';
import { readCronFields, ScheduleError } from '#domain/cron-fields.ts';

/**
 * Parses five fields (minute hour day month weekday) or a nickname such as `@daily`. `readCronFields` documents the
 * fields. Throws ScheduleError with the reason.
 */
export const readCron = (expression: string | undefined): CronFields =>
  readCronFields(fieldsOf(normalised(expression)));

/** Trims the expression and collapses blanks. */
export const normalised = (expression: string | undefined): string => (expression ?? '').trim().replaceAll(/\s+/g, ' ');

const nicknames: ReadonlyMap<string, string> = new Map([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
]);

function fieldsOf(text: string): string[] {
  if (text === '')
    throw new ScheduleError('The cron expression is empty. Example: "0 9 * * MON" for every Monday at 9 AM');
  if (text.startsWith('@')) {
    const pattern = nicknames.get(text.toLowerCase());
    if (pattern === undefined)
      throw new ScheduleError(`"${text}" is not a cron nickname. There are ${[...nicknames.keys()].join(', ')}`);
    return pattern.split(' ');
  }
  const fields = text.split(' ');
  if (fields.length !== 5) {
    throw new ScheduleError(
      `The cron expression "${text}" has ${fields.length} ${fields.length === 1 ? 'field' : 'fields'}; it needs five: minute hour day month weekday`,
    );
  }
  return fields;
}
