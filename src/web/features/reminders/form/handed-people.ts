import { z } from 'zod';
import { Audience } from '#contract/audience.ts';
import { limits } from '#contract/reminders.ts';

/** The people of a message, chosen on another screen: contacts, and addresses that are no contact's. */
export const HandedPeople = z.object({
  audience: Audience.optional(),
  recipients: z.array(z.string()).max(limits.recipients).optional(),
});
export type HandedPeople = z.output<typeof HandedPeople>;
