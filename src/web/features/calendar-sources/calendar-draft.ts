import type { CalendarOffset, CalendarSource } from '#contract/calendar-sources.ts';
import { type ChannelType, isAddressed } from '#contract/channel-types.ts';
import type { NewCalendar } from '#web/api/calendar-sources.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';

/** The state of the form. An empty address without a file keeps what an existing calendar has. */
export type CalendarDraft = {
  name: string;
  url: string;
  file: { name: string; text: string } | null;
  timezone: string;
  offsets: { amount: number | string; unit: CalendarOffset['unit'] }[];
  allDayTime: string;
  channel: ChannelType;
  subject: string;
  message: string;
  recipients: string;
};

export const draftOf = (source: CalendarSource | null): CalendarDraft => ({
  name: source?.name ?? '',
  url: '',
  file: null,
  timezone: source?.timezone ?? viewerZone(),
  offsets: source?.offsets ?? [{ amount: 1, unit: 'days' }],
  allDayTime: source?.all_day_time ?? '09:00',
  channel: 'email',
  subject: 'Reminder: {{event.title}}',
  message: '{{event.title}} is on {{event.start}}.\n\nLocation: {{event.location}}',
  recipients: '',
});

export const rulesOf = ({ url, file, timezone, offsets, allDayTime }: CalendarDraft) => ({
  timezone,
  offsets: offsets.map(({ amount, unit }) => ({ amount: amount === '' ? Number.NaN : Number(amount), unit })),
  all_day_time: allDayTime,
  ...(file !== null ? { file } : url.trim() === '' ? {} : { url: url.trim() }),
});

export const previewOf = (draft: CalendarDraft) => rulesOf(draft);

export const newCalendarOf = (draft: CalendarDraft): NewCalendar => ({
  name: draft.name,
  ...rulesOf(draft),
  content: {
    subject: draft.subject,
    message: draft.message,
    format: 'plain',
    recipients: isAddressed(draft.channel) ? linesIn(draft.recipients) : [],
  },
  metadata: { channels: [draft.channel] },
});

const linesIn = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
