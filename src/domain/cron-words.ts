import { capitalized, listed } from '#domain/in-words.ts';
import type { CronFields } from '#domain/cron-calendar.ts';

/**
 * Describes a cron expression as a sentence: `Every Monday at 09:00`. It is made from the parsed fields, not from the
 * text: two expressions that are due at different times never read alike.
 */
export function cronInWords(fields: CronFields): string {
  const day = dayInWords(fields);
  const times = fixedTimesOf(fields);
  if (times !== null) return capitalized(`${day ?? 'every day'} at ${listed(times)}`);
  const repeated = fields.minutes.length === 1 ? hoursInWords(fields) : minutesInWords(fields);
  return capitalized(day === null ? repeated : `${repeated}, ${day}`);
}

const mostTimes = 4;

/** All times of a day in words, if there are few; null for many. */
function fixedTimesOf({ minutes, hours }: CronFields): string[] | null {
  if (minutes.length * hours.length > mostTimes && !(minutes.length === 1 && stepOf(hours) === null)) return null;
  return hours.flatMap((hour) => minutes.map((minute) => clock(hour, minute)));
}

/** For one minute in many hours. */
function hoursInWords({ minutes: [minute = 0], hours }: CronFields): string {
  const step = stepOf(hours) ?? 1;
  const [first = 0, last = 0] = [hours[0], hours.at(-1)];
  const isWholeDay = first === 0 && last + step === 24;
  const every = step === 1 ? 'every hour' : `every ${step} hours`;
  if (!isWholeDay) return `${every} from ${clock(first, minute)} to ${clock(last, minute)}`;
  return minute === 0 ? every : `${every} at minute ${minute}`;
}

/** For many minutes in some hours. */
function minutesInWords({ minutes, hours }: CronFields): string {
  const step = stepOf(minutes);
  const [first = 0, last = 0] = [minutes[0], minutes.at(-1)];
  const isWholeHour = step !== null && first === 0 && last + step === 60;
  const every = step === 1 ? 'every minute' : `every ${step} minutes`;
  const said =
    step === null
      ? `at minutes ${listed(minutes.map(String))}`
      : isWholeHour
        ? every
        : `${every} from minute ${first} to ${last}`;
  const when = withinHours(hours);
  return when === null ? (isWholeHour ? said : `${said} of every hour`) : `${said}, ${when}`;
}

function withinHours(hours: readonly number[]): string | null {
  if (hours.length === 24) return null;
  const step = stepOf(hours);
  const [first = 0, last = 0] = [hours[0], hours.at(-1)];
  if (hours.length === 1 || step === 1) return `from ${clock(first, 0)} to ${clock(last, 59)}`;
  if (step !== null) return `in every ${ordinal(step)} hour from ${clock(first, 0)} to ${clock(last, 59)}`;
  return `in the hours of ${listed(hours.map((hour) => clock(hour, 0)))}`;
}

/** The days in words; null for every day. */
function dayInWords({ days, weekdays, months, needsBothDays }: CronFields): string | null {
  const isWhole = {
    days: days === null || days.numbers.size === 31,
    week: weekdays === null || weekdays.numbers.size === 7,
  };
  const isEither = days !== null && weekdays !== null && !needsBothDays;
  const isEveryDay = isEither ? isWhole.days || isWhole.week : isWhole.days && isWhole.week;
  const year = monthsInWords(months);
  if (isEveryDay) return year === null ? null : `every day in ${year}`;
  const numbered = days === null ? null : `on the ${daysOf(days)} of ${year ?? 'every month'}`;
  const week = weekdays === null ? null : weekdaysInWords(weekdays, year);
  if (isEither) return `${numbered} and also ${week}`;
  if (numbered === null || isWhole.days) return week;
  return week === null || isWhole.week
    ? numbered
    : `${numbered}, only if it is also ${week.replace(/^(every|on the) /, '')}`;
}

function daysOf({ numbers, hasLast }: NonNullable<CronFields['days']>): string {
  const days = runsOf([...numbers].sort((a, b) => a - b)).map(([first, last]) =>
    first === last ? ordinal(first) : `${ordinal(first)} to ${ordinal(last)}`,
  );
  return listed(hasLast ? [...days, 'last day'] : days);
}

function weekdaysInWords({ numbers, nth, last }: NonNullable<CronFields['weekdays']>, year: string | null): string {
  // A week starts on Monday here.
  const plain = [...numbers].map((day) => (day === 0 ? 7 : day)).sort((a, b) => a - b);
  const days = runsOf(plain).map(([from, to]) => (from === to ? nameOf(from) : `${nameOf(from)} to ${nameOf(to)}`));
  const numbered = [...nth].sort().map((one) => {
    const [day = '', nth = ''] = one.split('#');
    return `${ordinal(Number(nth))} ${nameOf(Number(day))}`;
  });
  const named = [...numbered, ...[...last].sort((a, b) => a - b).map((day) => `last ${nameOf(day)}`)];
  const every = days.length === 0 ? [] : [`every ${listed(days)}${year === null ? '' : ` in ${year}`}`];
  const some = named.length === 0 ? [] : [`on the ${listed(named)} of ${year ?? 'every month'}`];
  return [...every, ...some].join(' and also ');
}

/** The months in words; null for all. */
function monthsInWords(months: ReadonlySet<number>): string | null {
  if (months.size === 12) return null;
  const runs = runsOf([...months].sort((a, b) => a - b));
  return listed(
    runs.map(([first, last]) => (first === last ? monthOf(first) : `${monthOf(first)} to ${monthOf(last)}`)),
  );
}

/** Joins three or more consecutive numbers into one run. */
function runsOf(numbers: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs.flatMap(([first, last]): [number, number][] =>
    last === first + 1
      ? [
          [first, first],
          [last, last],
        ]
      : [[first, last]],
  );
}

/** The distance between neighbours; null when it differs or there are fewer than three. */
function stepOf(numbers: readonly number[]): number | null {
  const [first = 0, second = 0] = numbers;
  const step = second - first;
  return numbers.length >= 3 && numbers.every((number, nth) => number === first + nth * step) ? step : null;
}

function ordinal(number: number): string {
  const isTeen = number > 10 && number < 14;
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`;
}

const dayNames = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const monthNames = 'January February March April May June July August September October November December'.split(' ');
const nameOf = (day: number) => dayNames[day] ?? '';
const monthOf = (month: number) => monthNames[month - 1] ?? '';
const clock = (hour: number, minute: number) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
