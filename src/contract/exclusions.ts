import { z } from 'zod';
import { Empty, Id } from '#contract/common.ts';
import { Contact } from '#contract/contacts.ts';
import { PauseDay } from '#contract/pause-day.ts';
import { del, put } from '#contract/route.ts';

/** For how many years reminders to a person can be paused. */
export const mostPausedYears = 5;

export const PauseInput = z.strictObject({
  /** The first day with reminders again. It begins in the timezone of the contact, else of each reminder. */
  until: PauseDay,
});

const SkipParams = z.object({ id: Id, contact: Id });

/** What keeps reminders from one person: all of them until a day, or a run that lies ahead. */
export const exclusionRoutes = {
  pauseContact: put('/api/contacts/:id/pause', {
    access: 'member',
    summary: 'Pause all reminders to a contact until a day; messages written by hand are still sent',
    body: PauseInput,
    answer: Contact,
  }),
  endPauseOfContact: del('/api/contacts/:id/pause', {
    access: 'member',
    summary: 'End the pause of reminders to a contact now; what came due meanwhile is not sent',
    answer: Contact,
  }),
  skipRun: put('/api/jobs/:id/skips/:contact', {
    access: 'member',
    summary: 'Skip a run of a reminder that has not begun for one contact; it is sent to the others',
    params: SkipParams,
    answer: Empty,
  }),
  endSkip: del('/api/jobs/:id/skips/:contact', {
    access: 'member',
    summary: 'Send a run that has not begun to a contact for whom it was skipped',
    params: SkipParams,
    answer: Empty,
  }),
};
