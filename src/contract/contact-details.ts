import { z } from 'zod';
import { Id, InstantText, Page, PageQuery } from '#contract/common.ts';
import { consentChannels } from '#contract/consent-channels.ts';
import { Contact } from '#contract/contacts.ts';
import { DeliveryWithTimeline } from '#contract/deliveries.ts';
import { jobTypes } from '#contract/job-types.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { get } from '#contract/route.ts';
import { ScheduleConfig } from '#contract/schedules.ts';
import { receivingHours } from '#contract/receiving-hours.ts';
import { Suppression } from '#contract/suppressions.ts';

/** A contact with its groups, with those of its addresses that are suppressed, and with what they agreed to where that is required. */
export const ContactDetails = Contact.extend({
  groups: z.array(z.object({ id: Id, name: z.string() })),
  suppressions: z.array(Suppression),
  /** In which hours they want messages to their address and their number, by their own choice. Only in these and in the sending hours are messages sent. */
  receiving_hours: z.array(
    z.object({
      address: z.string(),
      ...receivingHours,
      chosen_at: InstantText,
      /** They never meet the sending hours: optional messages are not sent there at all. */
      never_meets: z.boolean(),
    }),
  ),
  /** Whether they have agreed to messages over each channel for which the workspace requires it: to those without a topic, to `some` topics, or to none. */
  consents: z.array(z.object({ channel: z.enum(consentChannels), state: z.enum(['given', 'some', 'lacking']) })),
});
export type ContactDetails = z.output<typeof ContactDetails>;

/** A reminder that will be sent to a contact. */
export const UpcomingOfContact = z.object({
  id: Id,
  name: z.string(),
  schedule_config: ScheduleConfig,
  /** When it is sent next; null where that depends on an event. */
  next_run_at: InstantText.nullable(),
  /** What makes the contact part of the reminder's audience, such as a tag; null where it is a listed recipient. */
  through: z.string().nullable(),
  /** The channels that reach the contact; in order of preference where they are tried in order. */
  channels: z.array(z.enum(channelTypes)),
  /** Why nothing would be sent; null where a channel reaches the contact. */
  problem: z.string().nullable(),
  /** The job of this run, by which it can be skipped for the contact; null where that depends on an event. */
  job_id: Id.nullable(),
  /** Why they do not get this run though they would otherwise: it is skipped for them, or reminders to them are paused. */
  exclusion: z.enum(['skipped', 'paused']).nullable(),
  /** When they get the reminder again; null where nothing keeps this run from them, and where the schedule ends before. */
  resumes_at: InstantText.nullable(),
});
export type UpcomingOfContact = z.output<typeof UpcomingOfContact>;

/** A delivery to a contact, with the job that it belongs to. */
export const ContactDelivery = DeliveryWithTimeline.extend({
  job: z.object({ name: z.string(), type: z.enum(jobTypes), reminder_id: Id.nullable() }),
});
export type ContactDelivery = z.output<typeof ContactDelivery>;

export const contactDetailsRoutes = {
  getContact: get('/api/contacts/:id', {
    access: 'member',
    summary: 'Get a contact, with its groups and with what is on the suppression list',
    answer: ContactDetails,
  }),
  listUpcomingOfContact: get('/api/contacts/:id/upcoming', {
    access: 'member',
    summary: 'The next 20 active reminders that are sent to a contact, soonest first',
    /** `is_complete` is false when there are more than these, or too many reminders to search them all. */
    answer: z.object({ data: z.array(UpcomingOfContact), is_complete: z.boolean() }),
  }),
  listContactDeliveries: get('/api/contacts/:id/deliveries', {
    access: 'member',
    summary: 'List what a contact was sent, newest first, at any of its addresses',
    query: PageQuery.extend({ channel: z.enum(channelTypes).optional() }),
    answer: Page(ContactDelivery),
  }),
};
