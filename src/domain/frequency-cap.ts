import type { FrequencyCap } from '#contract/frequency-cap.ts';
import { type ChannelType, isAddressed } from '#contract/channel-types.ts';
import { counted, listed } from '#domain/in-words.ts';
import { dayMs } from '#domain/instants.ts';
import { parseRecipient } from '#domain/recipients.ts';

/** For how long after its time a message waits for room. */
const longestWaitDays = 8;

/** Whether the cap asks to count anything. */
export const isCapping = ({ perDay, perWeek }: FrequencyCap): boolean => perDay !== null || perWeek !== null;

/** Whether messages to this recipient are counted: to a person at an address or number of their own, and not to a program at a URL. */
export const isCapped = ({ channel, recipient }: { channel: ChannelType; recipient: string }): boolean =>
  isAddressed(channel) && parseRecipient(recipient).kind !== 'url';

/** The week of an instant, by its Monday, and the day in it: 1 is Monday. */
export function capDayAt(
  { timezone }: Pick<FrequencyCap, 'timezone'>,
  at: Temporal.Instant,
): { week: string; day: number } {
  const today = at.toZonedDateTimeISO(timezone).toPlainDate();
  return { week: today.subtract({ days: today.dayOfWeek - 1 }).toString(), day: today.dayOfWeek };
}

/**
 * When a message that has no room today may be sent: at the time of day at which it was due, on the next day, or on Monday where the week is full. Null when
 * it would wait for too long.
 */
export function nextCapacityAfter(
  { timezone }: Pick<FrequencyCap, 'timezone'>,
  { now, dueAt, isWeekFull }: { now: Temporal.Instant; dueAt: Temporal.Instant; isWeekFull: boolean },
): Temporal.Instant | null {
  const today = now.toZonedDateTimeISO(timezone).toPlainDate();
  const day = today.add({ days: isWeekFull ? 8 - today.dayOfWeek : 1 });
  const plainTime = dueAt.toZonedDateTimeISO(timezone).toPlainTime();
  const at = day.toZonedDateTime({ timeZone: timezone, plainTime }).toInstant();
  return at.epochMilliseconds - dueAt.epochMilliseconds > longestWaitDays * dayMs ? null : at;
}

/** `at most 1 message a day and 3 a week`. */
export function capText({ perDay, perWeek }: Pick<FrequencyCap, 'perDay' | 'perWeek'>): string {
  const parts = [
    perDay !== null && `${counted(perDay, 'message')} a day`,
    perWeek !== null && `${perDay === null ? counted(perWeek, 'message') : perWeek.toLocaleString('en')} a week`,
  ].filter((part) => part !== false);
  return `at most ${listed(parts)}`;
}

/** The setting as one sentence. */
export const frequencyCapText = (cap: FrequencyCap): string =>
  isCapping(cap)
    ? `One address or number gets ${capText(cap)} that people can leave, by days in ${cap.timezone}.`
    : 'One address or number gets any number of messages.';
