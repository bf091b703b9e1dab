import type { ReceivingHours } from '#contract/receiving-hours.ts';

/** Hours of every day but for some minutes from this time on, so that what waits is sent within the run. */
export function hoursWithout({ fromMs, minutes }: { fromMs: number; minutes: number }): ReceivingHours {
  const timeAt = (ms: number) => new Date(ms).toISOString().slice(11, 16);
  return { days: [1, 2, 3, 4, 5, 6, 7], from: timeAt(fromMs + minutes * 60_000), to: timeAt(fromMs), timezone: 'UTC' };
}
