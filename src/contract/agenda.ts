import { z } from 'zod';
import { AgendaEntry } from '#contract/agenda-entry.ts';
import { Tag } from '#contract/audience.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { Id, InstantText, Page, PageQuery } from '#contract/common.ts';
import { get } from '#contract/route.ts';
import { TimeZone } from '#contract/schedules.ts';

/** How far an agenda looks ahead, and the most that it holds. */
export const agendaLimits = {
  days: 60,
  /** The most scheduled reminders that it looks through. */
  reminders: 5_000,
  /** The most occurrences that it computes. The last day that it shows is one of which it has all. */
  occurrences: 100_000,
  /** The most jobs of events and of the API that it searches for a person. */
  searchedJobs: 1_000,
  /** How many occurrences of a day it lists; the day itself lists all. */
  listedOfDay: 6,
  /** The most different audiences of which an answer says how many people they have. */
  audiences: 60,
} as const;

const filter = {
  timezone: TimeZone.default('UTC'),
  /** What this reminder sends. */
  reminder: Id.optional(),
  /** What goes to this group. */
  group: Id.optional(),
  /** What goes to this contact, by a group or tag too. */
  contact: Id.optional(),
  /** What goes to everybody with this tag. */
  tag: Tag.optional(),
  channel: z.enum(channelTypes).optional(),
};

const AgendaDay = z.object({
  day: z.iso.date(),
  occurrences: z.number().int(),
  /** The first ones, where they were asked for. */
  entries: z.array(AgendaEntry),
});
export type AgendaDay = z.output<typeof AgendaDay>;

const Agenda = z.object({
  from: z.iso.date(),
  /** The last day that it covers: earlier than the sixtieth where there is more than it holds. */
  to: z.iso.date(),
  /** False where not everything of these days was looked at. */
  is_complete: z.boolean(),
  /** Days without an occurrence are omitted. */
  data: z.array(AgendaDay),
  /** How many active reminders wait for an event: when they are sent is not known. */
  event_reminders: z.number().int(),
  /** Until when all reminders are paused; null when they are not. */
  reminders_paused_until: InstantText.nullable(),
  /** What the filter names. */
  names: z.object({
    reminder: z.string().nullable(),
    group: z.string().nullable(),
    contact: z.string().nullable(),
  }),
});
export type Agenda = z.output<typeof Agenda>;

export const agendaRoutes = {
  getAgenda: get('/api/agenda', {
    access: 'member',
    summary:
      'What is sent in the next 60 days, by day of a timezone: what has begun, jobs that wait, and what the schedules plan after them',
    isCostly: true,
    /** `entries=0` leaves the counts of the days alone. */
    query: z.strictObject({
      ...filter,
      entries: z.coerce.number().int().min(0).max(agendaLimits.listedOfDay).default(agendaLimits.listedOfDay),
    }),
    answer: Agenda,
  }),
  listAgendaDay: get('/api/agenda/entries', {
    access: 'member',
    summary: 'List everything that is sent on one of the next 60 days, soonest first',
    isCostly: true,
    query: PageQuery.extend({ ...filter, day: z.iso.date('must be a day such as 2026-12-01') }),
    answer: Page(AgendaEntry),
  }),
};
