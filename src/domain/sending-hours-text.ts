import { capitalized, listed } from '#domain/in-words.ts';
import type { ReceivingHours } from '#contract/receiving-hours.ts';
import type { SendingHours } from '#contract/sending-hours.ts';
import type { ChannelType } from '#contract/channel-types.ts';

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

const words: Record<ChannelType, string> = {
  email: 'mail',
  sms: 'SMS',
  whatsapp: 'WhatsApp',
  webhook: 'webhooks',
  slack: 'Slack',
  push: 'web push',
};

/** The hours as one sentence. */
export function sendingHoursText({ enabled, days, from, to, zone, timezone, channels }: SendingHours): string {
  if (!enabled) return 'Messages go out at any time.';
  const who = listed(channels.map((channel) => words[channel]));
  const verb = channels.length === 1 && channels[0] !== 'webhook' ? 'goes' : 'go';
  const where =
    zone === 'workspace' ? `${timezone} time` : `in the recipient's timezone where it is known, else ${timezone}`;
  const over = to > from ? '' : ' the next day';
  return `${capitalized(who)} ${verb} out ${daysText(days)} ${from}–${to}${over}, ${where}.`;
}

/** The hours in which somebody wants messages, as one sentence. */
export function receivingHoursText({ days, from, to, timezone }: ReceivingHours): string {
  const over = to > from ? '' : ' the next day';
  return `Messages come ${daysText(days)} ${from}–${to}${over}, ${timezone} time.`;
}

/** `Mon 09:00 Europe/Berlin`. */
export function openingText(opening: Temporal.Instant, timezone: string): string {
  const local = opening.toZonedDateTimeISO(timezone);
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' });
  return `${weekdays[local.dayOfWeek - 1]} ${time} ${timezone}`;
}

/** Three or more days in a row are written as a range. */
function daysText(days: readonly number[]): string {
  const sorted = days.toSorted((a, b) => a - b);
  if (sorted.length === 7) return 'every day';
  const runs: number[][] = [];
  for (const day of sorted) {
    const last = runs.at(-1);
    if (last !== undefined && last.at(-1) === day - 1) last.push(day);
    else runs.push([day]);
  }
  const nameOf = (day: number | undefined) => weekdays[(day ?? 1) - 1] ?? '';
  return runs
    .flatMap((run) => (run.length > 2 ? [`${nameOf(run[0])}–${nameOf(run.at(-1))}`] : run.map(nameOf)))
    .join(', ');
}
