import { type CronRhythm, hourSteps, minuteSteps } from './cron-rhythm.ts';

export const kindChoices = [
  { value: 'minutes', label: 'Every few minutes' },
  { value: 'hours', label: 'Every hour, or every few hours' },
  { value: 'day', label: 'Every day' },
  { value: 'weekdays', label: 'Every weekday (Monday to Friday)' },
  { value: 'week', label: 'Every week, on some days' },
  { value: 'month', label: 'Every month, on a day' },
  { value: 'nth', label: 'Every month, on a weekday' },
];

/** The initial rhythm of a frequency; null for an unknown one. */
export function startOf(kind: string, time: string): CronRhythm | null {
  switch (kind) {
    case 'minutes':
      return { every: kind, step: 15 };
    case 'hours':
      return { every: kind, step: 1, minute: 0 };
    case 'day':
      return { every: kind, time };
    case 'weekdays':
      return { every: 'week', weekdays: [1, 2, 3, 4, 5], time };
    case 'week':
      return { every: kind, weekdays: [1], time };
    case 'month':
      return { every: kind, day: 1, time };
    case 'nth':
      return { every: kind, nth: 1, weekday: 1, time };
    default:
      return null;
  }
}

export const timeOf = (rhythm: CronRhythm | null): string | null =>
  rhythm !== null && 'time' in rhythm ? rhythm.time : null;

/** The months that a rhythm skips, as a sentence; null when it skips none. */
export function leftOut(rhythm: CronRhythm): string | null {
  if (rhythm.every === 'month' && typeof rhythm.day === 'number' && rhythm.day > 28)
    return `Months without a ${ordinal(rhythm.day)} are skipped. “Last day” exists in every month.`;
  if (rhythm.every === 'nth' && rhythm.nth === 5)
    return 'Months without a 5th one are skipped. “Last” exists in every month.';
  return null;
}

export const minuteChoices = minuteSteps.map((step) => ({
  value: String(step),
  label: step === 1 ? 'minute' : `${step} minutes`,
}));
export const hourChoices = hourSteps.map((step) => ({
  value: String(step),
  label: step === 1 ? 'hour' : `${step} hours`,
}));

/** The week starts on Sunday. */
export const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'
  .split(' ')
  .map((name, day) => ({ day, name }));

const ordinal = (number: number) =>
  `${number}${['th', 'st', 'nd', 'rd'][number > 3 && number < 21 ? 0 : number % 10] ?? 'th'}`;

export const dayChoices = [
  ...Array.from({ length: 31 }, (_, index) => ({ value: String(index + 1), label: ordinal(index + 1) })),
  { value: 'last', label: 'Last day' },
];
export const nthChoices = [
  ...[1, 2, 3, 4, 5].map((nth) => ({ value: String(nth), label: ordinal(nth) })),
  { value: 'last', label: 'Last' },
];
