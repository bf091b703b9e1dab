import type { ChannelType } from '#contract/channel-types.ts';
import { understand } from '#domain/phrase.ts';
import { occurrences, ScheduleError } from '#domain/schedule.ts';

export const firstLine = 'Email dana@example.com every 1st at 9am Berlin time that rent is due';

export const otherLines = [
  'Text +1 415 555 0134 every weekday at 8:30 that the shift begins',
  'Every first Monday at 9am New York time email ann@example.com about the plan',
  'Email ann@example.com 3 days after a payment failed that her card was refused',
];

/** How many of the next times are shown. */
export const timesShown = 3;

export type LineReading = {
  rows: { label: string; text: string }[];
  /** The next times, in the timezone of the line. */
  times: string[];
  /** Words that are ambiguous or were not understood. */
  remarks: string[];
};

const channelNames: Record<ChannelType, string> = {
  email: 'Email',
  sms: 'SMS',
  whatsapp: 'WhatsApp',
  webhook: 'Webhook',
  slack: 'Slack',
  push: 'Push',
};

/** What the form of a reminder understands of a line, by the same rules. */
export function readLine(text: string, { now, timezone }: { now: Temporal.Instant; timezone: string }): LineReading {
  const { schedule, channels, isInOrder, recipients, parts, message, problems, leftOver, notes } = understand(text, {
    now,
    timezone,
  });
  const audiences = parts.flatMap((part) => (part.kind === 'audience' ? [part.audience] : []));
  const rows = [
    { label: 'When', text: schedule?.wording ?? '' },
    { label: 'Channels', text: channels.map((channel) => channelNames[channel]).join(isInOrder ? ', then ' : ', ') },
    { label: 'To', text: [...recipients, ...audiences].join(', ') },
    { label: 'Message', text: message?.message ?? '' },
  ];
  return {
    rows: rows.filter((row) => row.text !== ''),
    times: schedule === null ? [] : timesOf(schedule.config, now),
    remarks: [
      ...problems.map((one) => one.text),
      ...leftOver.map(({ words }) => `Not understood: “${words}”`),
      ...notes.map((one) => one.text),
    ],
  };
}

function timesOf(config: Parameters<typeof occurrences>[0], now: Temporal.Instant): string[] {
  try {
    return occurrences(config, { after: now, count: timesShown }).map((at) => timeText(at, config.timezone));
  } catch (error) {
    if (error instanceof ScheduleError) return [];
    throw error;
  }
}

const timeText = (at: Temporal.Instant, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at.epochMilliseconds);
