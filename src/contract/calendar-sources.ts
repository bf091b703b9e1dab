import { z } from 'zod';
import { Id, InstantText, RequiredName, RequiredText } from '#contract/common.ts';
import { namesWhomItReaches, ReminderContent, ReminderMetadata, reminderStatuses } from '#contract/reminders.ts';
import { del, get, post, put } from '#contract/route.ts';
import { delayUnits, TimeZone } from '#contract/schedules.ts';

/** The bounds of calendars that are read. Docs: docs/calendars.md. */
export const calendarSourceLimits = {
  /** Calendars of one workspace. */
  sources: 20,
  /** The most bytes that are read from an address. */
  urlBytes: 5 * 1024 * 1024,
  fileBytes: 1024 * 1024,
  /** The most events, alarms and timezones together in one calendar. */
  components: 20_000,
  lines: 200_000,
  /** How many days ahead events are read. */
  days: 400,
  /** The most scheduled messages of one calendar. */
  messages: 1_000,
  offsets: 3,
  /** How many messages a preview shows. */
  previewed: 10,
} as const;

const OffsetDays = { minutes: 1 / 1_440, hours: 1 / 24, days: 1, weeks: 7 } as const;

/** How long before an event a message is sent. */
export const CalendarOffset = z
  .strictObject({
    amount: z.number().int('must be a whole number').min(0, 'must be at least 0').max(10_000),
    unit: z.enum(delayUnits),
  })
  .refine(({ amount, unit }) => amount * OffsetDays[unit] <= 366, 'must be at most 366 days');
export type CalendarOffset = z.output<typeof CalendarOffset>;

const isUnique = (offsets: readonly CalendarOffset[]) =>
  new Set(offsets.map(({ amount, unit }) => `${amount} ${amount === 0 ? '' : unit}`)).size === offsets.length;

const CalendarUrl = RequiredText(2000, { missing: 'Enter the address of the calendar' })
  .trim()
  .refine((text) => /^(https?|webcal):\/\/\S+$/i.test(text), 'must begin with https:// or webcal://')
  .refine((text) => URL.canParse(text), 'is not a complete address');

const CalendarFile = z.strictObject({
  name: RequiredName(200, { missing: 'must not be blank' }),
  text: RequiredText(calendarSourceLimits.fileBytes, {
    missing: 'The file is empty',
    tooLong: 'The file is larger than 1 MB',
  }).refine(
    (text) => new TextEncoder().encode(text).length <= calendarSourceLimits.fileBytes,
    'The file is larger than 1 MB',
  ),
});

const rules = {
  /** The zone for times without one and for all-day events, and in which `days` and `weeks` before an event are counted. */
  timezone: TimeZone,
  offsets: z
    .array(CalendarOffset)
    .min(1, 'Choose at least one time')
    .max(calendarSourceLimits.offsets, `must be at most ${calendarSourceLimits.offsets}`)
    .refine(isUnique, 'must not name the same time twice'),
  /** The time of day at which an all-day event counts as beginning. */
  all_day_time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 09:00'),
};

const oneSource = {
  check: ({ url, file }: { url?: string | undefined; file?: object | undefined }) =>
    (url === undefined) !== (file === undefined),
  refusal: { path: ['url'], error: 'Enter the address of the calendar, or choose a file' },
};

const from = { url: CalendarUrl.optional(), file: CalendarFile.optional() };

const PreviewBody = z.strictObject({ ...rules, ...from }).refine(oneSource.check, oneSource.refusal);
export type CalendarPreviewInput = z.output<typeof PreviewBody>;

const named = { name: RequiredName(100, { missing: 'Name the calendar' }) };

export const CalendarSourceInput = z
  .strictObject({ ...named, ...rules, ...from, content: ReminderContent, metadata: ReminderMetadata })
  .refine(oneSource.check, oneSource.refusal)
  .superRefine(namesWhomItReaches.check, namesWhomItReaches.params);
export type CalendarSourceInput = z.output<typeof CalendarSourceInput>;

const CalendarSourceChange = z
  .strictObject({ ...named, ...rules, ...from })
  .refine(({ url, file }) => url === undefined || file === undefined, oneSource.refusal);
export type CalendarSourceChange = z.output<typeof CalendarSourceChange>;

/** How many events have no scheduled message, for one reason; or, with `is_scheduled`, have some of which a person should know how they were read. */
export const LeftOut = z.object({
  reason: z.string(),
  count: z.number().int(),
  titles: z.array(z.string()),
  is_scheduled: z.boolean().optional(),
});
export type LeftOut = z.output<typeof LeftOut>;

export const CalendarSource = z.object({
  id: Id,
  name: z.string(),
  /** The host of the calendar's address; null for a file. */
  host: z.string().nullable(),
  file_name: z.string().nullable(),
  timezone: z.string(),
  offsets: z.array(CalendarOffset),
  all_day_time: z.string(),
  reminder: z.object({ id: Id, status: z.enum(reminderStatuses), paused_until: InstantText.nullable() }),
  /** When it was last read without a failure; null before that. */
  last_read_at: InstantText.nullable(),
  next_read_at: InstantText,
  /** Why the last reading failed, and since when all have; what was scheduled before stays. */
  failure: z.string().nullable(),
  failing_since: InstantText.nullable(),
  /** How many messages are scheduled, and when the next is sent. */
  scheduled: z.number().int(),
  next_at: InstantText.nullable(),
  left_out: z.array(LeftOut),
  created_at: InstantText,
});
export type CalendarSource = z.output<typeof CalendarSource>;

const CalendarPreview = z.object({
  /** The next ten messages. */
  messages: z.array(z.object({ at: InstantText, title: z.string(), start: z.string() })),
  /** How many messages there are within the next 400 days. */
  count: z.number().int(),
  left_out: z.array(LeftOut),
});
export type CalendarPreview = z.output<typeof CalendarPreview>;

/** The variables that a message about an event can use. */
export const calendarVariables = [
  'event.title',
  'event.start',
  'event.date',
  'event.time',
  'event.location',
  'event.description',
] as const;

const maxBodyKiB = 2_500;

export const calendarSourceRoutes = {
  listCalendarSources: get('/api/calendar-sources', {
    access: 'member',
    callers: 'people',
    summary: 'The calendars whose events are messages of this workspace',
    answer: z.object({ data: z.array(CalendarSource) }),
  }),
  previewCalendarSource: post('/api/calendar-sources/preview', {
    changesNothing: true,
    access: 'admin',
    callers: 'people',
    summary: 'Read a calendar without keeping it: the next ten messages, and what is left out and why',
    body: PreviewBody,
    maxBodyKiB,
    limit: { usage: 'calendar_reads' },
    answer: CalendarPreview,
  }),
  createCalendarSource: post('/api/calendar-sources', {
    access: 'admin',
    callers: 'people',
    summary: 'Add a calendar by its address or as a file; its events become messages of a new reminder',
    body: CalendarSourceInput,
    maxBodyKiB,
    limit: { usage: 'calendar_reads' },
    answer: CalendarSource,
    status: 201,
  }),
  updateCalendarSource: put('/api/calendar-sources/:id', {
    access: 'admin',
    callers: 'people',
    summary:
      'Change when messages of a calendar are sent, or import its file again; without an address or a file it keeps its own',
    body: CalendarSourceChange,
    maxBodyKiB,
    limit: { usage: 'calendar_reads' },
    answer: CalendarSource,
  }),
  readCalendarSource: post('/api/calendar-sources/:id/read', {
    access: 'admin',
    callers: 'people',
    summary: 'Read a calendar again now',
    limit: { usage: 'calendar_reads' },
    answer: CalendarSource,
  }),
  removeCalendarSource: del('/api/calendar-sources/:id', {
    access: 'admin',
    callers: 'people',
    summary: 'Remove a calendar; its reminder is deleted with what is scheduled, or keeps it',
    query: z.strictObject({ reminder: z.enum(['delete', 'keep'], 'must be delete or keep') }),
    answer: z.object({ id: Id }),
  }),
};
